// The conversation is about to be shortened.
import { wrapped } from '../parts/wrapped.ts';
import type { Renderer } from './renderer.ts';
import { titled } from './titled.ts';

export const compactPre: Renderer<'compact.pre'> = {
	...titled('bullet', 'faint'),
	body: ({ data }, _, width) => (data.custom_instructions ? wrapped(data.custom_instructions, width) : undefined),
};
