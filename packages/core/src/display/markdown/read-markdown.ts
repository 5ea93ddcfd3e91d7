// Reads Markdown. Any text is Markdown, and only marks are dropped: every other visible character is in a block, in order.
import type { Block, Line } from './block.ts';
import { createListBuilder } from './list-builder.ts';
import { type Part, readParts } from './read-parts.ts';

/** Blocks one at a time: the start of a long text can be shown before the rest is read. */
export function* readMarkdown(text: string): Generator<Block> {
	const joining = createJoiner();
	for (const part of readParts(text)) yield* joining.add(part);
	yield* joining.end();
}

type Joiner = { add(part: Part): Generator<Block>; end(): Generator<Block> };

/** More lines or items than this are several blocks, for the same reason. */
const MOST = 100;

/** Joins lines that belong together. */
function createJoiner(): Joiner {
	const lists = createListBuilder();
	let items = 0;
	let lines: Line[] = [];
	let type: Part['type'] | undefined;
	let blanks = 0;

	function* end(): Generator<Block> {
		yield* lists.take();
		if (lines.length > 0) yield { type: type === 'quote' ? 'quote' : 'paragraph', lines };
		if (blanks > 0) yield { type: 'blank', count: blanks };
		lines = [];
		items = 0;
		blanks = 0;
		type = undefined;
	}

	return {
		*add(part) {
			// A list continues after blank lines if an item follows.
			const isOther = part.type !== type && !(type === 'item' && part.type === 'blank');
			const isFull = lines.length >= MOST || (items >= MOST && part.type === 'item' && part.item.indent === 0);
			if (isOther || isFull) yield* end();
			type ??= part.type;
			switch (part.type) {
				case 'text':
				case 'quote':
					lines.push(part.line);
					break;
				case 'item':
					lists.add(part.item, blanks);
					items += 1;
					blanks = 0;
					break;
				case 'blank':
					blanks += 1;
					break;
				default:
					yield part;
			}
		},
		end,
	};
}
