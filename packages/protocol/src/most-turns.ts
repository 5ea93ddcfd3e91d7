// In a file of its own, so that importing the limit does not build the schemas of a session.
export const MOST_TURNS = 1_000_000;
