// Whether a finger or a mouse button is down. Nothing may move under it.

export type Pressed = { isPressed(): boolean };

/** `onRelease` is called after every release, also where the browser does not report it. */
export function watchPressed(onRelease: () => void): Pressed {
	let isPressed = false;

	function release(): void {
		if (!isPressed) return;
		isPressed = false;
		onRelease();
	}

	function press(): void {
		isPressed = true;
	}

	addEventListener('pointerdown', press, { capture: true });
	for (const event of ['pointerup', 'pointercancel']) addEventListener(event, release, { capture: true });
	addEventListener('blur', release);
	// A release outside the window is noticed when the pointer returns.
	addEventListener('pointermove', ({ buttons }) => (buttons === 0 ? release() : undefined), { capture: true });
	return { isPressed: () => isPressed };
}
