// Scrolling rows of which none is chosen: the first row on the screen.

export function scrollRows(top: number, action: string, count: number, height: number): number {
	return Math.max(0, Math.min(wantedTop(top, action, count, height), count - height));
}

function wantedTop(top: number, action: string, count: number, height: number): number {
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
			return count;
		default:
			return top;
	}
}
