#ifndef HY_CLOCK_H
#define HY_CLOCK_H

/* The clocks. What they say goes into reports, deadlines and emergencies, never into a verdict (decision D73). Any
 * thread may ask.
 */

double hy_seconds(void);          // of a clock that only goes forward
double hy_own_seconds(void);      // of processor time: this process's,
double hy_children_seconds(void); // and its children's that have been waited for; 0: not to be had

#endif
