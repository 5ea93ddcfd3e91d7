// Another model is about to take over.
import type { Renderer } from './renderer.ts';
import { titled } from './titled.ts';

export const modelSwitchPre: Renderer<'model.switch.pre'> = titled(
	'bullet',
	'faint',
	({ data }) => `Switching the model from ${data.from_model ?? '?'} to ${data.to_model ?? '?'}`,
);
