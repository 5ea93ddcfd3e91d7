// The agent began to work.
import { because } from './first-line.ts';
import type { Renderer } from './renderer.ts';
import { titled } from './titled.ts';

export const runStart: Renderer<'run.start'> = titled('bullet', 'faint', ({ data: { trigger } }) =>
	// The prompt itself follows at once.
	trigger.type === 'user_prompt_submit' ? 'Run started' : `Run started${because(trigger.prompt_preview)}`,
);
