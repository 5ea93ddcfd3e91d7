// A task that was given out.
import type { Renderer } from './renderer.ts';
import { task } from './task.ts';

export const taskCreated: Renderer<'task.created'> = task({ glyph: 'todoOpen', tone: 'faint' }, 'Task');
