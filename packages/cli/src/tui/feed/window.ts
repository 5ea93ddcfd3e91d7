// Which lines of a long list are on the screen. Entries have different heights; only those near the window are ever asked for theirs.

/** The first line on the screen: an entry, and how many of its lines are above the edge. */
export type Anchor = { readonly index: number; readonly skip: number };

export type ListShape = { readonly count: number; heightOf(index: number): number };

/** A piece of an entry that is on the screen. */
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

/** So that this line of this entry is the last on the screen. */
export function anchorAbove(end: { index: number; lines: number }, shape: ListShape, height: number): Anchor {
	let room = height - end.lines;
	let index = end.index;
	while (room > 0 && index > 0) {
		index -= 1;
		room -= shape.heightOf(index);
	}
	return { index, skip: Math.max(0, -room) };
}

/** The end of the list at the bottom of the screen. */
export function anchorAtEnd(shape: ListShape, height: number): Anchor {
	if (shape.count === 0) return { index: 0, skip: 0 };
	const index = shape.count - 1;
	return anchorAbove({ index, lines: shape.heightOf(index) }, shape, height);
}

/** Moved as little as possible so that the entry's first line is on the screen. */
export function anchorToShow(anchor: Anchor, index: number, shape: ListShape, height: number): Anchor {
	if (index < anchor.index || (index === anchor.index && anchor.skip > 0)) return { index, skip: 0 };
	const shown = visibleFrom(anchor, shape, height).some((piece) => piece.index === index);
	return shown ? anchor : anchorAbove({ index, lines: Math.min(height, shape.heightOf(index)) }, shape, height);
}
