import { Duplex } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createCork } from './cork.ts';

describe('corked socket', () => {
	it('writes the frames of one event loop turn together, and those of the next turn separately', async () => {
		const writes: string[][] = [];
		const socket = new Duplex({
			read() {},
			write: (chunk, _, done) => done(void writes.push([String(chunk)])),
			writev: (chunks, done) => done(void writes.push(chunks.map(({ chunk }) => String(chunk)))),
		});
		const cork = createCork(socket);
		const write = (frame: string) => {
			cork();
			socket.write(frame);
		};
		write('a');
		write('b');
		await Promise.resolve().then(() => write('c'));
		await new Promise(setImmediate);
		write('d');
		await new Promise(setImmediate);
		expect(writes).toEqual([['a', 'b', 'c'], ['d']]);
	});
});
