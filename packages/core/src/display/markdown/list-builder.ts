// Lists from items in order: an item that is indented further belongs to the item before it.
import type { Item, List } from './block.ts';
import type { ItemPart } from './read-parts.ts';

export type ListBuilder = {
	add(item: ItemPart, gap: number): void;
	/** The lists so far, and starts again. */
	take(): readonly List[];
};

type OpenItem = Omit<Item, 'lists'> & { readonly lists: OpenList[] };
type OpenList = Omit<List, 'items'> & { readonly items: OpenItem[] };

const NESTED = 2;

export function createListBuilder(): ListBuilder {
	let roots: OpenList[] = [];
	/** The lists that may get the next item, each inside the last item of the one before it. */
	let open: OpenList[] = [];

	return {
		add(part, gap) {
			const item: OpenItem = { gap, ...part, lists: [] };
			const ordered = part.ordinal !== undefined;
			while (indentOf(open.at(-1)) > part.indent) open.pop();
			const last = open.at(-1);
			const isNested = last !== undefined && part.indent >= indentOf(last) + NESTED;
			if (last && !isNested && last.ordered === ordered) {
				last.items.push(item);
				return;
			}
			if (last && !isNested) open.pop();
			const list: OpenList = { type: 'list', ordered, items: [item] };
			(open.at(-1)?.items.at(-1)?.lists ?? roots).push(list);
			open.push(list);
		},
		take() {
			const taken = roots;
			roots = [];
			open = [];
			return taken;
		},
	};
}

/** Of its first item. */
function indentOf(list: OpenList | undefined): number {
	return list?.items[0]?.indent ?? Number.NEGATIVE_INFINITY;
}
