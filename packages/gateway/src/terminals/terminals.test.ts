// Terminals over the API: real programs in real PTYs, over real sockets.
import { createHash } from 'node:crypto';
import { terminalRow } from '@roost/protocol/api/terminals';
import { openRawTerminal, type RawAttach, type RawTerminal } from '@roost/testkit/rigs/api/raw-terminal';
import { BEARER, startTestGateway } from '@roost/testkit/rigs/api/test-gateway';
import { programIn } from '@roost/testkit/rigs/runner/test-terminals';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { createTerminalLook } from '@roost/testkit/rigs/terminal/terminal-look';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

const MEGABYTE = 1024 * 1024;
/** Generous for a busy machine. */
const FLOOD = { deadlineMs: 150_000 };

async function startWorld() {
	await using stack = new AsyncDisposableStack();
	const { path } = stack.use(await createTempDir());
	const rig = stack.use(await startTestGateway());
	const { port } = rig.gateway;
	const owned = stack.move();
	return {
		rig,
		path,
		start: async (...argv: [string, ...string[]]) =>
			unwrap(await rig.world.terminals.start({ program: programIn(path, ...argv) })).id,
		/** Runs on Node, so that no other program is needed. */
		node: async (code: string) =>
			unwrap(await rig.world.terminals.start({ program: programIn(path, process.execPath, '-e', code) })).id,
		attach: (id: string, over: Partial<RawAttach> = {}) => openRawTerminal({ port, id, headers: BEARER, ...over }),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

/** Reads without echo until `q` is typed. */
const RAW_STDIN =
	"process.stdin.setRawMode(true); process.stdin.on('data', (keys) => { if (keys.includes('q')) process.exit(3); });";

async function lookOf(terminal: RawTerminal): Promise<unknown> {
	const [snapshot] = terminal.frames.filter((frame) => frame.type === 'snapshot');
	using screen = createTerminalLook(snapshot ?? { cols: 80, rows: 24 });
	await screen.write(terminal.bytes());
	return screen.look();
}

describe('terminal', () => {
	it('shows output, accepts keys, and reports the exit code', async () => {
		await using world = await startWorld();
		const id = await world.start('/bin/sh');
		await using terminal = await world.attach(id);
		await terminal.shows('ready> ');
		terminal.type('echo $((6 * 7)); exit 5\r');
		await terminal.shows('42');
		expect(await terminal.frame('closed')).toEqual({ type: 'closed', exitCode: 5, signal: null });
		await waitFor(() => terminal.closed(), { what: 'the goodbye' });
		expect(terminal.closed()).toBe(1000);
	});

	it('sends 33 MB unchanged to a client that confirms it', { timeout: 180_000 }, async () => {
		await using world = await startWorld();
		const line = Buffer.from(`${'0123456789abcdef'.repeat(6)}\n`);
		const size = Math.ceil((33 * MEGABYTE) / line.length) * line.length;
		const id = await world.node(`process.stdin.setRawMode(true);
			const block = Buffer.from('${line.toString().trim()}\\n'.repeat(1000));
			let left = ${size};
			process.stdin.once('data', () => (function go() {
				while (left > 0) { const piece = block.subarray(0, Math.min(left, block.length)); left -= piece.length; if (!process.stdout.write(piece)) return process.stdout.once('drain', go); }
				process.exitCode = 7; process.stdin.pause();
			})());
			process.stdout.write('raw');`);
		await using terminal = await world.attach(id, FLOOD);
		await terminal.shows('raw');
		const before = terminal.bytes().length;
		terminal.type('go');
		expect(await terminal.frame('closed')).toMatchObject({ exitCode: 7 });
		const expected = createHash('sha256');
		for (let at = 0; at < size; at += line.length) expected.update(line);
		const seen = terminal.bytes().subarray(before);
		// The line discipline of the PTY turns LF into CR LF on the way out.
		const asWritten = seen.toString('latin1').replaceAll('\r\n', '\n');
		expect(asWritten.length).toBe(size);
		expect(createHash('sha256').update(asWritten, 'latin1').digest('hex')).toBe(expected.digest('hex'));
		expect(terminal.frames.filter((frame) => frame.type === 'snapshot')).toHaveLength(1);
	});

	it('returns to the prompt when a flood is interrupted', async () => {
		await using world = await startWorld();
		const id = await world.start('/bin/sh');
		await using terminal = await world.attach(id);
		await terminal.shows('ready> ');
		terminal.type('yes\r');
		await waitFor(() => (terminal.size() > MEGABYTE ? true : undefined), { what: 'a flood' });
		terminal.type('\x03');
		terminal.type('echo back-$((1 + 1))\r');
		expect(await terminal.shows('back-2')).toContain('ready> ');
	});

	it('looks the same to a viewer that attaches later, also on the alternate screen', async () => {
		await using world = await startWorld();
		const id =
			await world.node(`process.stdout.write('on the normal screen\\r\\n\\x1b]0;editor\\x07\\x1b[?1049h\\x1b[?25l\\x1b[?1000h\\x1b[2J\\x1b[H');
			for (let row = 1; row <= 24; row++) process.stdout.write('\\x1b[' + row + ';1H\\x1b[4' + (row % 8) + 'm' + '~ é漢 '.repeat(row % 5) + '\\x1b[K');
			process.stdout.write('\\x1b[0m\\x1b[12;7HDRAWN'); ${RAW_STDIN}`);
		await using first = await world.attach(id);
		await first.shows('DRAWN');
		await using second = await world.attach(id, { attach: { want: 'view' } });
		await second.shows('DRAWN');
		expect(await lookOf(second)).toEqual(await lookOf(first));
		first.type('q');
		expect(await second.frame('closed')).toMatchObject({ exitCode: 3 });
	});

	it('sends bytes as base64 text on request', async () => {
		await using world = await startWorld();
		await using terminal = await world.attach(await world.start('/bin/sh'), { attach: { encoding: 'base64' } });
		const text = () =>
			terminal.frames.map((frame) => (frame.type === 'bytes' ? Buffer.from(frame.base64, 'base64').toString() : '')).join('');
		terminal.send({ type: 'input', base64: Buffer.from('echo $((2 * 21))\r').toString('base64') });
		await waitFor(() => (text().includes('42') ? true : undefined), { what: 'the answer', seen: text });
		expect(terminal.bytes()).toHaveLength(0);
	});

	it('shows the last screen of a program that has already ended', async () => {
		await using world = await startWorld();
		const id = await world.node("process.stdout.write('last words'); process.exitCode = 9;");
		await waitFor(() => (world.rig.world.terminals.running() === 0 ? true : undefined), { what: 'its end' });
		await using terminal = await world.attach(id);
		expect(await terminal.frame('closed')).toMatchObject({ exitCode: 9 });
		expect(terminal.text()).toContain('last words');
	});
});

describe('control of a terminal', () => {
	it('belongs to one of two viewers, and the other can neither type nor resize', async () => {
		await using world = await startWorld();
		const id = await world.start('/bin/sh');
		await using one = await world.attach(id, { attach: { cols: 100, rows: 30 } });
		await one.shows('ready> ');
		await using two = await world.attach(id, { attach: { cols: 20, rows: 5 } });
		expect(await two.frame('attached')).toMatchObject({ control: { holder: 'other' }, terminal: { cols: 100, rows: 30 } });
		two.type('echo two-types\r');
		two.send({ type: 'resize', cols: 20, rows: 5 });
		expect(await two.frame('refused')).toMatchObject({ what: 'input', error: { code: 'conflict' }, final: false });
		one.type('stty size\r');
		await one.shows('30 100');
		await two.shows('30 100');
		expect(one.text()).not.toContain('two-types');
	});

	it('is reserved after a lost connection, and restored with the lease', async () => {
		await using world = await startWorld();
		const id = await world.start('/bin/sh');
		const first = await world.attach(id);
		const { control } = await first.frame('attached');
		const lease = control.holder === 'you' ? control.lease : '';
		await first[Symbol.asyncDispose]();
		await using other = await world.attach(id);
		expect(await other.frame('attached')).toMatchObject({ control: { holder: 'other' } });
		await using stranger = await world.attach(id, { attach: { lease: 'guessed' } });
		expect(await stranger.frame('attached')).toMatchObject({ control: { holder: 'other' } });
		await using again = await world.attach(id, { attach: { lease } });
		expect(await again.frame('attached')).toMatchObject({ control: { holder: 'you', lease } });
		again.type('echo mine-$((1 + 1))\r');
		await again.shows('mine-2');
	});

	it('is transferred only on request, and both viewers are notified', async () => {
		await using world = await startWorld();
		const id = await world.start('/bin/sh');
		await using one = await world.attach(id);
		await one.frame('attached');
		await using two = await world.attach(id);
		await two.frame('attached');
		two.send({ type: 'take' });
		expect(await two.frame('control')).toMatchObject({ control: { holder: 'you' } });
		expect(await one.frame('control', ({ control }) => control.holder === 'other')).toBeDefined();
		one.type('echo one-types\r');
		expect(await one.frame('refused')).toMatchObject({ what: 'input' });
		two.type('echo two-$((1 + 1))\r');
		await two.shows('two-2');
		expect(two.text()).not.toContain('one-types');
	});
});

describe('terminal queries', () => {
	/** Prints received bytes in hexadecimal. */
	const ASKING = `process.stdin.setRawMode(true); process.stdin.on('data', (keys) => process.stdout.write('<' + keys.toString('hex') + '>'));`;
	const QUESTION = '\\x1b[6n';

	it('are answered for a program without a controlling viewer', async () => {
		await using world = await startWorld();
		const id = await world.node(`${ASKING} process.stdout.write('abc${QUESTION}');`);
		await using viewer = await world.attach(id, { attach: { want: 'view' } });
		await viewer.shows(`<${Buffer.from('\x1b[1;4R').toString('hex')}>`);
	});

	it('are answered by the controlling viewer only', async () => {
		await using world = await startWorld();
		const id = await world.node(
			`${ASKING} process.stdin.on('data', (keys) => { if (keys.includes('a')) process.stdout.write('${QUESTION}asked'); });`,
		);
		await using one = await world.attach(id);
		await using two = await world.attach(id, { attach: { want: 'view' } });
		await Promise.all([one.frame('snapshot'), two.frame('snapshot')]);
		one.type('a');
		await Promise.all([one.shows('asked'), two.shows('asked')]);
		two.type('\x1b[2;2R');
		await two.frame('refused');
		one.type('\x1b[9;9R');
		const seen = await one.shows(`<${Buffer.from('\x1b[9;9R').toString('hex')}>`);
		expect(seen.match(/<[0-9a-f]+>/g)).toEqual(['<61>', `<${Buffer.from('\x1b[9;9R').toString('hex')}>`]);
	});

	it('are not forwarded to viewers, nor are clipboard sequences and links to other schemes', async () => {
		await using world = await startWorld();
		const hostile = '\\x1b]52;c;aGk=\\x07\\x1b]52;c;?\\x07\\x1b]5\\x002;c;aGk=\\x07\\x1b]8;;javascript:x\\x07link\\x1b]8;;\\x07';
		const id = await world.node(`${ASKING} process.stdout.write('start ${hostile} end');`);
		await using live = await world.attach(id, { attach: { want: 'view' } });
		await live.shows('end');
		await using replayed = await world.attach(id, { attach: { want: 'view' } });
		await replayed.shows('end');
		for (const viewer of [live, replayed]) {
			using screen = createTerminalLook({ cols: 80, rows: 24 });
			await screen.write(viewer.bytes());
			expect(screen.replies).toEqual([]);
			expect(viewer.text()).not.toMatch(/\]52|aGk=|javascript/);
			expect(viewer.text()).not.toMatch(/<[0-9a-f]+>/);
		}
	});
});

describe('client that never confirms', () => {
	it('does not delay others, uses little memory, and gets a snapshot when it catches up', { timeout: 180_000 }, async () => {
		await using world = await startWorld();
		const id = await world.start('/bin/sh');
		await using quick = await world.attach(id, FLOOD);
		await quick.shows('ready> ');
		await using stuck = await world.attach(id, { acks: false, attach: { want: 'view' } });
		await stuck.frame('snapshot');
		quick.type(`head -c ${12 * MEGABYTE} /dev/zero | tr '\\0' 'x' | fold -w 70; echo done-$((1 + 1))\r`);
		await quick.shows('done-2');
		expect(quick.size()).toBeGreaterThan(12 * MEGABYTE);
		expect(stuck.size()).toBeLessThan(3 * MEGABYTE);
		stuck.send({ type: 'ack', position: stuck.size() + MEGABYTE });
		await waitFor(() => (stuck.frames.filter(({ type }) => type === 'snapshot').length === 2 ? true : undefined), {
			what: 'a second snapshot',
		});
		await stuck.shows('done-2');
	});
});

describe('terminals over HTTP', () => {
	it('are opened in a project folder, listed and closed, each command only once', async () => {
		await using world = await startWorld();
		const { rig, path } = world;
		const body = { commandId: 'c1', projectId: path, title: 'mine', size: { cols: 90, rows: 20 } };
		const opened = await rig.post('/api/v1/terminals', body);
		expect(opened.status).toBe(201);
		expect((await rig.post('/api/v1/terminals', body)).body).toBe(opened.body);
		const { id, ...row } = terminalRow.parse(JSON.parse(opened.body));
		expect(row).toMatchObject({ title: 'mine', cwd: path, cols: 90, rows: 20, state: 'running', sessionId: null });
		expect(JSON.parse((await rig.call({ path: '/api/v1/terminals' })).body)).toHaveLength(1);
		expect((await rig.post(`/api/v1/terminals/${id}/close`, { commandId: 'c2' })).status).toBe(200);
		expect(JSON.parse((await rig.call({ path: '/api/v1/terminals' })).body)).toMatchObject([{ id, state: 'ended' }]);
	});

	it('reject an unknown folder, an unknown terminal, or a request without upgrade', async () => {
		await using world = await startWorld();
		const { rig } = world;
		const status = async (path: string, body: unknown) => (await rig.post(path, body)).status;
		expect(await status('/api/v1/terminals', { commandId: 'a', projectId: 'relative' })).toBe(400);
		expect(await status('/api/v1/terminals', { commandId: 'b', projectId: world.path, argv: ['/bin/sh'] })).toBe(400);
		expect(await status('/api/v1/terminals/none/close', { commandId: 'c' })).toBe(404);
		expect((await rig.call({ path: '/api/v1/terminals/none' })).status).toBe(426);
		await using nobody = await world.attach('none');
		expect(await nobody.frame('refused')).toMatchObject({ what: 'attach', final: true, error: { code: 'not_found' } });
	});
});

it('rejects keys before an attach, and disconnects a client that sends only invalid frames', async () => {
	await using world = await startWorld();
	const id = await world.start('/bin/sh');
	await using terminal = await world.attach(id, { attach: null });
	terminal.type('echo early\r');
	expect(await terminal.frame('refused')).toMatchObject({ what: 'frame', final: false });
	for (let count = 0; count < 11; count++) terminal.send({ type: 'nonsense' });
	expect(await terminal.frame('refused', ({ final }) => final)).toBeDefined();
	await waitFor(() => terminal.closed(), { what: 'the end' });
});
