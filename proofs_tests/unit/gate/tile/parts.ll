; A program of two values, written by hand; entries are left out.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define internal i32 @parts_slots(ptr %0) {
entry:
  %in = load ptr, ptr %0, align 8
  %1 = getelementptr inbounds i8, ptr %0, i64 8
  %min = load i64, ptr %1, align 8
  %2 = getelementptr inbounds i8, ptr %0, i64 32
  %out = load ptr, ptr %2, align 8
  %3 = getelementptr inbounds i8, ptr %0, i64 40
  %min1 = load i64, ptr %3, align 8
  %4 = getelementptr inbounds i8, ptr %0, i64 48
  %len = load i64, ptr %4, align 8
  %5 = getelementptr inbounds i8, ptr %0, i64 64
  %out1 = load ptr, ptr %5, align 8
  %6 = sub i64 %min1, %min
  %7 = getelementptr i16, ptr %in, i64 %6
  %8 = icmp sgt i64 %len, 0
  br i1 %8, label %loop, label %leave

loop:
  %x = phi i64 [ 0, %entry ], [ %next, %loop ]
  %9 = getelementptr i16, ptr %7, i64 %x
  %in1 = load i16, ptr %9, align 2
  %10 = and i16 %in1, 255
  %11 = mul i16 %10, 3
  %12 = add i16 %in1, 1
  %13 = trunc i16 %12 to i8
  %14 = getelementptr i16, ptr %out, i64 %x
  store i16 %11, ptr %14, align 2
  %15 = getelementptr i8, ptr %out1, i64 %x
  store i8 %13, ptr %15, align 1
  %next = add nuw nsw i64 %x, 1
  %16 = icmp eq i64 %next, %len
  br i1 %16, label %leave, label %loop

leave:
  ret i32 0
}
