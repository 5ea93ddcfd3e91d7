// Feed mapping: reports mapped per second, against JSON.parse of the same reports, and in long sessions against short ones.

import { mapEvent } from '@roost/core/feed/mapper';
import { createFeedState } from '@roost/core/feed/state';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import { readReport } from '@roost/core/runtime/normal-form/read-report';
import type { SessionId } from '@roost/protocol/ids';
import type { BenchRow } from './bench-row.ts';

const SMALL = 10_000;
const LARGE = 100_000;
const ROUNDS = 3;
const CALLS_PER_TURN = 20;

export async function run(): Promise<BenchRow[]> {
	const reports = Array.from({ length: LARGE }, (_, index) => reportAt(index));
	const lines = reports.map((report) => JSON.stringify(report));
	const events = reports.map(toEvent);
	measure(() => mapAll(events.slice(0, SMALL)));

	const rates = Array.from({ length: ROUNDS }, () => ({
		parse: LARGE / measure(() => parseAll(lines)),
		small: LARGE / measure(() => mapInSessions(events, SMALL)),
		large: LARGE / measure(() => mapInSessions(events, LARGE)),
	}));
	const parse = median(rates.map((rate) => rate.parse));
	const small = median(rates.map((rate) => rate.small));
	const large = median(rates.map((rate) => rate.large));
	const bytes = Math.round(lines.reduce((sum, line) => sum + line.length, 0) / LARGE);
	return [
		toRow('feed mapping', `JSON.parse of the same events (${bytes} bytes each)`, parse, large, 0.1),
		toRow('feed mapping, 100k events in a session', 'the same events in sessions of 10k', small, large, 0.8),
	];
}

function toRow(bar: string, floor: string, floorValue: number, value: number, atLeast: number): BenchRow {
	const ratio = value / floorValue;
	return { bar, floor, floorValue, value, unit: 'events/s', ratio, target: `≥ ${atLeast}x`, met: ratio >= atLeast };
}

function parseAll(lines: readonly string[]): void {
	for (const line of lines) JSON.parse(line);
}

function mapInSessions(events: readonly RuntimeEvent[], size: number): void {
	for (let from = 0; from < events.length; from += size) mapAll(events.slice(from, from + size));
}

function mapAll(events: readonly RuntimeEvent[]): void {
	const state = createFeedState('bench' as SessionId);
	for (const event of events) mapEvent(state, event);
}

/** Seconds. */
function measure(work: () => void): number {
	const start = performance.now();
	work();
	return (performance.now() - start) / 1000;
}

function median(values: readonly number[]): number {
	return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}

type Report = { hook_event_name: string; session_id: string; transcript_path: string; cwd: string; [field: string]: unknown };

function toEvent(payload: Report, index: number): RuntimeEvent {
	return {
		id: `request-${index}`,
		timestamp: index,
		sessionId: payload.session_id,
		context: { cwd: payload.cwd, transcriptPath: payload.transcript_path },
		interaction: { expectsDecision: false },
		...readReport(payload.hook_event_name, payload),
	};
}

/** Repeats one turn: a prompt, calls with PreToolUse, PermissionRequest, PostToolUse and PostToolBatch, and a Stop. */
function reportAt(index: number): Report {
	const perTurn = CALLS_PER_TURN * 4 + 2;
	const turn = Math.floor(index / perTurn);
	const step = index % perTurn;
	if (step === 0) return report('UserPromptSubmit', { prompt: `Turn ${turn}: ${FILLER}` });
	if (step === perTurn - 1)
		return report('Stop', { stop_hook_active: false, last_assistant_message: FILLER, background_tasks: [] });
	const call = Math.floor((step - 1) / 4);
	const tool = {
		tool_name: call % 2 ? 'Write' : 'Bash',
		tool_input:
			call % 2
				? { file_path: `/home/dev/project/file-${call}.ts`, content: FILLER }
				: { command: `npm test -- part-${call}`, description: FILLER },
		tool_use_id: `toolu_${turn}_${call}`,
	};
	if ((step - 1) % 4 === 0) return report('PreToolUse', tool);
	if ((step - 1) % 4 === 1) return report('PermissionRequest', { ...tool, tool_use_id: undefined, permission_suggestions: [] });
	if ((step - 1) % 4 === 2)
		return report('PostToolUse', { ...tool, tool_response: { stdout: 'done', stderr: '', interrupted: false }, duration_ms: 12 });
	return report('PostToolBatch', { tool_calls: [{ ...tool, tool_response: 'done' }] });
}

function report(hook: string, fields: object): Report {
	return {
		session_id: '8e6b1e09-1cc7-4950-8a4b-928fb21d40ca',
		transcript_path: '/home/dev/.claude/projects/-home-dev-project/8e6b1e09-1cc7-4950-8a4b-928fb21d40ca.jsonl',
		cwd: '/home/dev/project',
		prompt_id: '65ff0df0-02d1-43e9-b317-ab79913af35b',
		permission_mode: 'default',
		effort: { level: 'medium' },
		hook_event_name: hook,
		...fields,
	};
}

const FILLER = 'All work and no play makes a dull log. '.repeat(15);
