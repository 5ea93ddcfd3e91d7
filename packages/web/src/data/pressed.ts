// Whether a finger or a mouse button is down. Nothing may move under it.

export type Pressed = Disposable & { isPressed(): boolean };

/** `onRelease` is called after every release, also where the browser does not report it. */
export function watchPressed(onRelease: () => void): Pressed {
	let isPressed = false;
	const over = new AbortController();
	const { signal } = over;

	function release(): void {
		if (!isPressed) return;
		isPressed = false;
		onRelease();
	}

	function press(): void {
		isPressed = true;
	}

	addEventListener('pointerdown', press, { capture: true, signal });
	for (const event of ['pointerup', 'pointercancel']) addEventListener(event, release, { capture: true, signal });
	addEventListener('blur', release, { signal });
	// A release outside the window is noticed when the pointer returns.
	addEventListener('pointermove', ({ buttons }) => (buttons === 0 ? release() : undefined), { capture: true, signal });
	return { isPressed: () => isPressed, [Symbol.dispose]: () => over.abort() };
}
