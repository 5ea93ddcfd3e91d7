// Makes a screenshot smaller: a PNG of 8-bit RGB or RGBA becomes one with a palette of at most 256 colours.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

type Pixels = { width: number; height: number; colours: Uint32Array };

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MOST_COLOURS = 256;
/** Colour types of the format. */
const RGB = 2;
const INDEXED = 3;
const RGBA = 6;

export function toSmallPng(png: Buffer): Buffer {
	const { width, height, colours } = readPixels(png);
	const palette = choosePalette(colours);
	const nearest = createNearest(palette);
	const rows = Buffer.alloc((width + 1) * height);
	for (let y = 0; y < height; y++) {
		for (let x = 0; x < width; x++) rows[y * (width + 1) + x + 1] = nearest(colours[y * width + x] ?? 0);
	}
	const header = Buffer.alloc(13);
	header.writeUInt32BE(width, 0);
	header.writeUInt32BE(height, 4);
	header.set([8, INDEXED], 8);
	const plte = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
	const chunks = [chunk('IHDR', header), chunk('PLTE', plte), chunk('IDAT', deflateSync(rows, { level: 9 })), chunk('IEND')];
	return Buffer.concat([SIGNATURE, ...chunks]);
}

/** Without transparency: a screenshot has none. */
export function readPixels(png: Buffer): Pixels {
	const parts: Buffer[] = [];
	let header: Buffer | undefined;
	for (let at = SIGNATURE.length; at < png.length; ) {
		const length = png.readUInt32BE(at);
		const type = png.toString('latin1', at + 4, at + 8);
		const body = png.subarray(at + 8, at + 8 + length);
		if (type === 'IHDR') header = body;
		if (type === 'IDAT') parts.push(body);
		at += length + 12;
	}
	const [depth, type, , , interlaced] = header?.subarray(8) ?? [];
	if (!header || depth !== 8 || (type !== RGB && type !== RGBA) || interlaced !== 0) {
		throw new Error('This is not a PNG of 8-bit RGB or RGBA without interlacing.');
	}
	const [width, height, size] = [header.readUInt32BE(0), header.readUInt32BE(4), type === RGB ? 3 : 4];
	const bytes = unfilter(inflateSync(Buffer.concat(parts)), { height, size, stride: width * size });
	const colours = Uint32Array.from({ length: width * height }, (_, at) => bytes.readUIntBE(at * size, 3));
	return { width, height, colours };
}

/** Each row is stored as the difference to its neighbours. */
function unfilter(rows: Buffer, { height, size, stride }: { height: number; size: number; stride: number }): Buffer {
	const bytes = Buffer.alloc(height * stride);
	for (let y = 0; y < height; y++) {
		const filter = rows[y * (stride + 1)];
		for (let x = 0; x < stride; x++) {
			const to = y * stride + x;
			const left = x >= size ? (bytes[to - size] ?? 0) : 0;
			const up = y > 0 ? (bytes[to - stride] ?? 0) : 0;
			const corner = x >= size && y > 0 ? (bytes[to - stride - size] ?? 0) : 0;
			const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter ?? 0] ?? 0;
			bytes[to] = (rows[y * (stride + 1) + 1 + x] ?? 0) + guess;
		}
	}
	return bytes;
}

function paeth(left: number, up: number, corner: number): number {
	const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
	if (a <= b && a <= c) return left;
	return b <= c ? up : corner;
}

/** The most frequent colours: the page has few, and the rest are edges of letters. */
function choosePalette(colours: Uint32Array): number[] {
	const counts = new Map<number, number>();
	for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
	const byCount = [...counts].toSorted((a, b) => b[1] - a[1] || a[0] - b[0]);
	return byCount.slice(0, MOST_COLOURS).map(([colour]) => colour);
}

function createNearest(palette: readonly number[]): (colour: number) => number {
	const known = new Map(palette.map((colour, at) => [colour, at]));
	return (colour) => {
		const found = known.get(colour);
		if (found !== undefined) return found;
		let best = 0;
		for (const [at, other] of palette.entries()) {
			if (distance(colour, other) < distance(colour, palette[best] ?? 0)) best = at;
		}
		known.set(colour, best);
		return best;
	};
}

function distance(a: number, b: number): number {
	const [red, green, blue] = [(a >> 16) - (b >> 16), ((a >> 8) & 255) - ((b >> 8) & 255), (a & 255) - (b & 255)];
	return red * red + green * green + blue * blue;
}

function chunk(type: string, body: Buffer = Buffer.alloc(0)): Buffer {
	const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
	const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
	length.writeUInt32BE(body.length);
	sum.writeUInt32BE(crc32(named));
	return Buffer.concat([length, named, sum]);
}
