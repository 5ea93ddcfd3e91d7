// The two sides of a sealed terminal, WebCrypto for faces and node:crypto for runners: each opens what the other seals, and nothing else.
import { type FaceCipher, newFaceExchange } from '@roost/client/face-cipher';
import { exchangeKeys, type RunnerCipher } from '@roost/runner/uplink/runner-cipher';
import { describe, expect, it } from 'vitest';
import { NODE_CRYPTO } from '../rigs/hub/face-at-hub.ts';
import { unwrap } from '../rigs/unwrap.ts';

type Side = { seal(content: string | Uint8Array): Promise<Uint8Array>; open(frame: Uint8Array): Promise<string | Uint8Array> };

const CONTENTS = [
	'',
	'ä text',
	'{"type":"ping"}',
	new Uint8Array(),
	Uint8Array.of(0, 255, 3),
	new Uint8Array(1024 * 1024).fill(7),
];

describe.each(['from the face to the runner', 'from the runner to the face'] as const)('sealed frames %s', (direction) => {
	async function open(): Promise<{ from: Side; to: Side }> {
		const { face, runner } = await exchange();
		const sides = [face, fromRunner(runner)] as const;
		return direction === 'from the face to the runner' ? { from: sides[0], to: sides[1] } : { from: sides[1], to: sides[0] };
	}

	it('are opened in their order, with their kind', async () => {
		const { from, to } = await open();
		for (const content of CONTENTS) expect(plain(await to.open(await from.seal(content)))).toEqual(plain(content));
	});

	it('differ each time, and do not contain what was sealed', async () => {
		const { from } = await open();
		const [one, other] = [await from.seal('the same words'), await from.seal('the same words')];
		expect(Buffer.from(one).equals(other)).toBe(false);
		expect(Buffer.from(one).includes('words')).toBe(false);
	});

	it.each<[string, (frames: Uint8Array[]) => Uint8Array | undefined]>([
		['repeated', ([first]) => first],
		['out of order', ([, , third]) => third],
		['of another kind', ([, second]) => changed(second, 0, 1)],
		['of an unknown kind', ([, second]) => changed(second, 0, 2)],
		['changed', ([, second]) => changed(second, 1, 1)],
		['changed in the tag', ([, second]) => changed(second, (second?.length ?? 0) - 1, 128)],
		['cut', ([, second]) => second?.subarray(0, -1)],
		['too short', () => Uint8Array.of(1)],
		['empty', () => new Uint8Array()],
	])('are not opened when %s', async (_name, pick) => {
		const { from, to } = await open();
		const frames = [await from.seal('one'), await from.seal('two'), await from.seal('three')];
		expect(await to.open(frames[0] ?? new Uint8Array())).toBe('one');
		await expect(to.open(pick(frames) ?? new Uint8Array())).rejects.toThrow();
	});

	it('are not opened by their own side, nor in another connection', async () => {
		const [{ from }, { to }] = [await open(), await open()];
		const frame = await from.seal('one');
		await expect(from.open(frame)).rejects.toThrow();
		await expect(to.open(frame)).rejects.toThrow();
	});

	it('are not opened with keys of another transcript', async () => {
		const { face, runner } = await exchange((text) => `${text} changed`);
		const [from, to] = direction === 'from the face to the runner' ? [face, fromRunner(runner)] : [fromRunner(runner), face];
		await expect(to.open(await from.seal('one'))).rejects.toThrow();
	});
});

it('refuses keys that give no secret', async () => {
	const zero = Buffer.alloc(32).toString('base64url');
	expect(exchangeKeys(zero, () => '')).toMatchObject({ ok: false, error: { code: 'denied' } });
	await expect((await newFaceExchange(NODE_CRYPTO)).toCipher(zero, '')).rejects.toThrow();
});

async function exchange(change = (text: string) => text): Promise<{ face: FaceCipher; runner: RunnerCipher }> {
	const own = await newFaceExchange(NODE_CRYPTO);
	const { publicKey, transcript, cipher } = unwrap(exchangeKeys(own.publicKey, (key) => `${own.publicKey} ${key}`));
	return { face: await own.toCipher(publicKey, change(transcript)), runner: cipher };
}

function fromRunner({ seal, open }: RunnerCipher): Side {
	return {
		seal: async (content) => seal(typeof content === 'string' ? 'text' : 'bytes', Buffer.from(content)),
		async open(frame) {
			const opened = open(frame);
			if (!opened) throw new Error('not opened');
			return opened.kind === 'text' ? opened.content.toString() : opened.content;
		},
	};
}

function plain(content: string | Uint8Array) {
	return typeof content === 'string' ? content : Buffer.from(content).toString('hex');
}

function changed(frame: Uint8Array | undefined, at: number, by: number): Uint8Array {
	const copy = Uint8Array.from(frame ?? []);
	copy[at] = (copy[at] ?? 0) ^ by;
	return copy;
}
