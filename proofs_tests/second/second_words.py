"""What the two second implementations read alike: words one after the other, and how operators bind (docs/language.md)."""

LEVELS = [['||'], ['&&'], ['|'], ['^'], ['&'], ['==', '!='], ['<', '<=', '>', '>='], ['<<', '>>'], ['+', '-'], ['*', '/', '%']]


class Words:
    """Of self.tokens the one at self.at is next; behind the last there are empty ones."""

    def peek(self, k=0):
        return self.tokens[self.at + k] if self.at + k < len(self.tokens) else ''

    def next(self, want=None):
        t = self.peek()
        assert want is None or t == want, (want, self.tokens[self.at - 5:self.at + 5])
        self.at += 1
        return t

    def skip_buffers(self):
        """How the caller's buffers lie has no meaning, and owes nothing."""
        while self.peek() == 'buffer' and self.peek(2) == 'in':
            while self.next() != ';':
                pass

    def accept(self, t):
        if self.peek() == t:
            self.at += 1
            return True
        return False
