// The conversation was shortened; with what is left of it.
import { markdownRows } from '../parts/markdown.ts';
import type { Renderer } from './renderer.ts';
import { titled } from './titled.ts';

export const compactPost: Renderer<'compact.post'> = {
	...titled('bullet', 'faint'),
	body: ({ data }, { styles }, width) => (data.compact_summary ? markdownRows(data.compact_summary, width, styles) : undefined),
};
