import { expect, it } from 'vitest';
import { countWatching } from './stream-sockets.ts';

it.each([
	[[], 0],
	[['cli', 'http', 'cli'], 0],
	[['web'], 1],
	[['tui', 'cli', 'web', 'web'], 3],
	[['website', 'TUI', ''], 0],
])('counts among the interfaces %j as watching: %i', (faces, count) => {
	expect(countWatching(faces)).toBe(count);
});
