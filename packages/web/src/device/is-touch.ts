// Whether fingers point here: they need larger targets, and a focused field covers half of the screen with keys.

export function isTouch(): boolean {
	return matchMedia('(pointer: coarse)').matches;
}
