// The agent began to work.
import { because } from '@roost/core/display/first-line';
import type { Renderer } from './renderer.ts';
import { titled } from './titled.ts';

export const runStart: Renderer<'run.start'> = titled('bullet', 'faint', ({ data: { trigger } }) =>
	// What started it, a prompt or a notice, follows at once.
	trigger.type === 'resume' ? `Run started${because(trigger.prompt_preview)}` : 'Run started',
);
