// Terminal UI update: the time and bytes of one new event, in a session with 100 000 events against one with 40.
import { drawFrame } from '@roost/cli/tui/frame';
import { createPainter } from '@roost/cli/tui/screen/painter';
import { createStyles } from '@roost/cli/tui/screen/styles';
import { startShell } from '@roost/cli/tui/shell/shell';
import { foldSessionView } from '@roost/core/views/session-view';
import type { FeedEvent } from '@roost/protocol/feed/event';
import { eventId } from '@roost/protocol/ids';
import { sampleEvent } from '@roost/testkit/rigs/record/sample-append';
import { sampleOpen, sampleWorld } from '@roost/testkit/rigs/tui/sample-world';
import type { BenchRow } from './bench-row.ts';
import { quantile } from './timing.ts';

const FEW = 40;
const MANY = 100_000;
const UPDATES = 300;
const ROUNDS = 6;
const WINDOW = { columns: 120, rows: 40 };
const AIM_MS = 2;

export async function run(): Promise<BenchRow[]> {
	const few: Seen = { times: [], bytes: [] };
	const many: Seen = { times: [], bytes: [] };
	// Alternating, so that load on the machine affects both; the first round is a warm-up.
	for (let round = 0; round <= ROUNDS; round += 1) {
		measure(FEW, round > 0 ? few : { times: [], bytes: [] });
		measure(MANY, round > 0 ? many : { times: [], bytes: [] });
	}
	const [floorMs, ms] = [quantile(few.times, 0.5), quantile(many.times, 0.5)];
	const [floorBytes, bytes] = [quantile(few.bytes, 0.5), quantile(many.bytes, 0.5)];
	const floor = 'the same with 40 events';
	const slowest = { floor, floorValue: quantile(few.times, 0.99), value: quantile(many.times, 0.99), unit: 'ms' };
	const update = toRow('terminal UI update, 100 000 events, p50', { floor, floorValue: floorMs, value: ms, unit: 'ms' }, 1.5);
	return [
		{ ...update, target: `<= 1.5x, aim ${AIM_MS} ms` },
		{ ...toRow('terminal UI update, 100 000 events, p99', slowest, 1.5), target: 'printed', met: true },
		toRow('bytes written per update, 100 000 events', { floor, floorValue: floorBytes, value: bytes, unit: 'bytes' }, 1.5),
	];
}

type Seen = { times: number[]; bytes: number[] };

function measure(events: number, seen: Seen): void {
	const open = sampleOpen(Array.from({ length: events }, (_, index) => eventAt(index + 1)));
	const world = { ...sampleWorld(), open };
	const shell = startShell(world);
	const styles = createStyles({ theme: 'dark', colour: true, ascii: false });
	let written = 0;
	const painter = createPainter((bytes) => {
		written += Buffer.byteLength(bytes);
	});
	for (let update = 0; update < UPDATES; update += 1) {
		const event = eventAt(events + update + 1);
		written = 0;
		const started = performance.now();
		open.feed.add(event);
		foldSessionView(open.view, event);
		const { lines, cursor } = drawFrame({ shell, world: { ...world, now: world.now + update * 33 }, notice: '' }, WINDOW, styles);
		painter.paint(lines, cursor);
		seen.times.push(performance.now() - started);
		seen.bytes.push(written);
	}
}

/** Alternates messages, calls and results. */
function eventAt(seq: number): FeedEvent {
	const tool = { tool_name: 'Bash', tool_input: { command: `npm test -- part-${seq - (seq % 3)}` } };
	switch (seq % 3) {
		case 0:
			return sampleEvent('k3f9', seq, { kind: 'tool.pre', data: tool });
		case 1: {
			const cause = { parent_event_id: eventId.parse(`k3f9:R1:E${seq - 1}`) };
			return { ...sampleEvent('k3f9', seq, { kind: 'tool.post', data: { ...tool, tool_response: 'ok' } }), cause };
		}
		default:
			return sampleEvent('k3f9', seq, {
				kind: 'agent.message',
				data: {
					text: `Part ${seq} is **done**, the next one follows with a few more words than fit into one line of a narrow window.`,
				},
			});
	}
}

function toRow(bar: string, seen: Pick<BenchRow, 'floor' | 'floorValue' | 'value' | 'unit'>, most: number): BenchRow {
	const ratio = seen.value / seen.floorValue;
	return { bar, ...seen, ratio, target: `<= ${most}x`, met: ratio <= most };
}
