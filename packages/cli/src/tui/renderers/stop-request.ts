// The agent wants to stop.
import type { Renderer } from './renderer.ts';
import { titled } from './titled.ts';

export const stopRequest: Renderer<'stop.request'> = titled('ended', 'faint', ({ data }) =>
	data.background_tasks ? `Stop, ${data.background_tasks} still in the background` : 'Stop',
);
