// What "roost verify --help" says beside the options: what is proven, what is not, and how the command ends.
export const VERIFY_HELP = `
What is proven:
  No event was changed, dropped, reordered, added or cut, as far as the heads file beside the database shows.
  Sessions, rules, asks, usage and the search index say the same as the events they are made from.
  With --file: the events of the file give the head in its header, and equal the record on this machine if it has the session.

What is not:
  That the database and the heads file were not rewritten together. Keep a head elsewhere to detect that.
  A home that was deleted as a whole looks like a new one.

Exit codes:
  0  intact, and equal to the given head
  1  not intact, or different from the given head
  2  wrong usage
  3  the record cannot be read

Examples:
  $ roost verify
  $ roost verify --head > /media/usb/roost-head
  $ roost verify --file session.jsonl
  $ roost verify --head "$(cat /media/usb/roost-head)"`;
