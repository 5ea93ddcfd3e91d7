// Whether Roost is one opinion among others, or the only gate.

/** `observe`: no answer is no opinion. `enforce`: no answer is a denial. */
export type GateMode = 'observe' | 'enforce';
