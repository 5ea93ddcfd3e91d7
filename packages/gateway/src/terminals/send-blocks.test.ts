import { describe, expect, it } from 'vitest';
import { copyToBlock } from './send-blocks.ts';

describe('send blocks', () => {
	it('keep their bytes even if the original changes', () => {
		const original = Buffer.from('first');
		const first = copyToBlock(original);
		original.fill('?');
		const second = copyToBlock(Buffer.from('second'));
		expect([first.bytes, second.bytes].map(String)).toEqual(['first', 'second']);
	});

	it('are reused after they are released', () => {
		const first = copyToBlock(Buffer.from('first'));
		first.release();
		expect(copyToBlock(Buffer.from('next')).bytes.buffer).toBe(first.bytes.buffer);
	});

	it('accept more bytes than fit into one block', () => {
		const bytes = Buffer.alloc(1_000_000, 'x');
		expect(Buffer.compare(copyToBlock(bytes).bytes, bytes)).toBe(0);
	});
});
