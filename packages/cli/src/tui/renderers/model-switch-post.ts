// Another model has taken over.
import type { Renderer } from './renderer.ts';
import { titled } from './titled.ts';

export const modelSwitchPost: Renderer<'model.switch.post'> = titled(
	'bullet',
	'accent',
	({ data }) => `The model is now ${data.to_model ?? '?'}, it was ${data.from_model ?? '?'}`,
);
