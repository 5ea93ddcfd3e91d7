// Lets time pass: a browser, Node and a test can each provide it.

/** Resolves after so many milliseconds; 0 lets everything else that is due go first. Keeps no process alive. */
export type Pause = (ms: number) => Promise<void>;
