// Scrolling rows of which none is chosen: the first row on the screen.

export function scrollRows(top: number, action: string, count: number, height: number): number {
	return Math.max(0, Math.min(wantedTop(top, action, height), count - height));
}

/** Where nobody knows yet how many there are: it may lie outside, and the end lies infinitely far. */
export function wantedTop(top: number, action: string, height: number): number {
	switch (action) {
		case 'down':
			return top + 1;
		case 'up':
			return top - 1;
		case 'page-down':
			return top + height;
		case 'page-up':
			return top - height;
		case 'top':
			return 0;
		case 'bottom':
			return Number.POSITIVE_INFINITY;
		default:
			return top;
	}
}
