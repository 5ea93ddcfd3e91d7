// Whether Roost only observes an agent, or blocks every call that was not explicitly allowed.

/** `observe`: no answer is no opinion. `enforce`: no answer is a denial. */
export type GateMode = 'observe' | 'enforce';
