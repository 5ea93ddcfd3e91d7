import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readPixels, toSmallPng } from './small-png.ts';

const [RED, GREEN, GREY, NEAR_GREY] = [0xff0000, 0x00ff00, 0x808080, 0x818080];

describe('small PNG', () => {
	it.each([0, 1, 2, 3, 4])('reads rows with filter %i', (filter) => {
		const colours = [RED, GREEN, GREY, 0x123456, NEAR_GREY, 0xfefefe];
		expect([...readPixels(toPng(3, colours, filter)).colours]).toEqual(colours);
	});

	it('keeps up to 256 colours exactly', () => {
		const colours = Array.from({ length: 512 }, (_, at) => (at % 256) * 0x010101);
		expect(readIndexed(toSmallPng(toPng(32, colours, 4)))).toEqual(colours);
	});

	it('replaces rarer colours by the nearest of the frequent ones', () => {
		const frequent = Array.from({ length: 256 }, (_, at) => at * 0x010000);
		const small = readIndexed(toSmallPng(toPng(257, [...frequent, ...frequent, 0x050001, 0x050001 + 0x010000].slice(0, 514), 0)));
		expect(small.slice(512)).toEqual([0x050000, 0x060000]);
	});

	it('refuses other formats', () => {
		expect(() => toSmallPng(toSmallPng(toPng(1, [RED], 0)))).toThrow(/not a PNG of 8-bit RGB/);
	});
});

/** Rows of RGB; `filter` as the format numbers them. */
function toPng(width: number, colours: readonly number[], filter: number): Buffer {
	const height = colours.length / width;
	const raw = Buffer.from(colours.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
	const stride = width * 3;
	const rows = Array.from({ length: height }, (_, y) => {
		const row = Array.from({ length: stride }, (_, x) => {
			const at = (dx: number, dy: number) => (x - dx < 0 || y - dy < 0 ? 0 : (raw[(y - dy) * stride + x - dx] ?? 0));
			const [left, up, corner] = [at(3, 0), at(0, 1), at(3, 1)];
			const near =
				[left, up, corner].toSorted((a, b) => Math.abs(left + up - corner - a) - Math.abs(left + up - corner - b))[0] ?? 0;
			return (at(0, 0) - ([0, left, up, Math.floor((left + up) / 2), near][filter] ?? 0)) & 255;
		});
		return Buffer.from([filter, ...row]);
	});
	const header = Buffer.alloc(13);
	header.writeUInt32BE(width, 0);
	header.writeUInt32BE(height, 4);
	header.set([8, 2], 8);
	const parts: [string, Buffer][] = [
		['IHDR', header],
		['IDAT', deflateSync(Buffer.concat(rows))],
		['IEND', Buffer.alloc(0)],
	];
	return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts.map(([type, body]) => toChunk(type, body))]);
}

function toChunk(type: string, body: Buffer): Buffer {
	const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
	const numbers = Buffer.alloc(8);
	numbers.writeUInt32BE(body.length, 0);
	numbers.writeUInt32BE(crc32(named), 4);
	return Buffer.concat([numbers.subarray(0, 4), named, numbers.subarray(4)]);
}

function readIndexed(png: Buffer): number[] {
	const body = (type: string) => {
		const at = png.indexOf(type, 0, 'latin1');
		expect(png.readUInt32BE(at + 4 + png.readUInt32BE(at - 4))).toBe(crc32(png.subarray(at, at + 4 + png.readUInt32BE(at - 4))));
		return png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4));
	};
	const [palette, rows, width] = [body('PLTE'), inflateSync(body('IDAT')), body('IHDR').readUInt32BE(0)];
	return [...rows].filter((_, at) => at % (width + 1) !== 0).map((index) => palette.readUIntBE(index * 3, 3));
}
