// Bounds of a session view: how much each part keeps, and what it drops first.

/** Finished runs leave the list oldest first; their numbers stay in the totals. */
export const MAX_RECENT_RUNS = 100;
/** Stopped subagents are forgotten first, oldest first. */
export const MAX_ACTORS = 500;
/** Agents block on an ask, so this many at once is a fault, not work. */
export const MAX_OPEN_ASKS = 1000;
/** Done todos are forgotten first, oldest first. */
export const MAX_TODOS = 500;
/** Later tool names are counted together as "other". */
export const MAX_TOOL_NAMES = 500;
/** Calls whose end is awaited; a call that was cut off never ends. */
export const MAX_CALLS_IN_FLIGHT = 1000;
/** The first native id is kept forever, and the newest of the others. */
export const MAX_NATIVE_IDS = 100;
