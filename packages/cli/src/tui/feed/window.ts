// The visible part of a list whose entries have different heights. Only entries near the window are measured.

/** The first visible line: an entry, and the number of its lines above the edge. */
export type Anchor = { readonly index: number; readonly skip: number };

export type ListShape = { readonly count: number; heightOf(index: number): number };

type Visible = { readonly index: number; readonly from: number; readonly lines: number };

export function visibleFrom(anchor: Anchor, shape: ListShape, height: number): Visible[] {
	const visible: Visible[] = [];
	let room = height;
	for (let { index, skip } = anchor; index < shape.count && room > 0; index += 1, skip = 0) {
		const lines = Math.min(room, shape.heightOf(index) - skip);
		visible.push({ index, from: skip, lines });
		room -= lines;
	}
	return visible;
}

/** Makes this line the last visible one. */
export function anchorAbove(end: { index: number; lines: number }, shape: ListShape, height: number): Anchor {
	let room = height - end.lines;
	let index = end.index;
	while (room > 0 && index > 0) {
		index -= 1;
		room -= shape.heightOf(index);
	}
	return { index, skip: Math.max(0, -room) };
}

export function anchorAtEnd(shape: ListShape, height: number): Anchor {
	if (shape.count === 0) return { index: 0, skip: 0 };
	const index = shape.count - 1;
	return anchorAbove({ index, lines: shape.heightOf(index) }, shape, height);
}

/** Scrolls as little as possible to show the first line of the entry. */
export function anchorToShow(anchor: Anchor, index: number, shape: ListShape, height: number): Anchor {
	if (index < anchor.index || (index === anchor.index && anchor.skip > 0)) return { index, skip: 0 };
	const shown = visibleFrom(anchor, shape, height).some((piece) => piece.index === index);
	return shown ? anchor : anchorAbove({ index, lines: Math.min(height, shape.heightOf(index)) }, shape, height);
}
