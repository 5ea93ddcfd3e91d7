// A command that does nothing and that every guard refuses: its refusal proves that the guard is active.
export const CANARY_COMMAND = ': roost-guard-canary';

export const CANARY_REASON = "Roost's guard refused this command: it is the one that shows the guard is there.";
