// A limit on its own: who only compares with it need not build the schemas of a session.
export const MOST_TURNS = 1_000_000;
