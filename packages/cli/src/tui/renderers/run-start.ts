// The agent began to work.
import { because } from './first-line.ts';
import type { Renderer } from './renderer.ts';
import { titled } from './titled.ts';

export const runStart: Renderer<'run.start'> = titled(
	'bullet',
	'faint',
	({ data }) => `Run${because(data.trigger.prompt_preview)}`,
);
