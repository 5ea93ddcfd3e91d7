// A task that is done.
import type { Renderer } from './renderer.ts';
import { task } from './task.ts';

export const taskCompleted: Renderer<'task.completed'> = task({ glyph: 'todoDone', tone: 'good' }, 'Task completed');
