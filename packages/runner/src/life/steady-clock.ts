// Milliseconds that only ever grow, also while somebody sets the clock of the machine: for everything that expires or is waited for.

/** About the time of day when the process started, so that it can be shown as one. */
export const steadyNow = (): number => performance.timeOrigin + performance.now();
