// roost run: one headless run of an agent, for scripts and CI. The response goes to stdout, the outcome is the exit code.
import { toSentence } from '@roost/core/display/sentence';
import { isInForce } from '@roost/core/rules/in-force';
import { steadyNow } from '@roost/machine/timers';
import { AppError, type ErrorCode } from '@roost/protocol/app-error';
import type { AskRow } from '@roost/protocol/ask';
import { assertNever } from '@roost/protocol/assert-never';
import type { SessionId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import { EXIT, fail, unwrap } from '../output/exit.ts';
import { connectOrStartToDecide } from '../runner/connect.ts';
import type { Connected } from '../transport/connected.ts';
import { type AnswerHere, createAnswerHere } from './run/answer-here.ts';
import { type BegunRun, beginRun } from './run/begin-run.ts';
import { followRun, type RunEnd } from './run/follow-run.ts';
import { type RunOptions, type RunRequest, readPrompt, toRunRequest } from './run/run-options.ts';
import { openRunOutput, type RunOutput } from './run/run-output.ts';
import type { RunOver } from './run/run-tracker.ts';
import { type Stop, type Stops, watchStops, within } from './run/stops.ts';
import { openTerminalKeys } from './run/terminal-keys.ts';

export async function run(given: string | undefined, options: RunOptions): Promise<void> {
	const request = unwrap(toRunRequest(options, { cwd: process.cwd(), isWatched: process.stderr.isTTY === true }));
	const prompt = unwrap(await readPrompt(given, process.stdin));
	using stops = watchStops(request.timeoutMs);
	const reached = unwrap(await reach());
	const begun = unwrap(await beginInTime(beginRun(reached.api, request, prompt), stops, options));
	await carryOut({ connected: reached, begun, request, stops, options });
}

/** A run drives an agent and may deny requests, so agents may not start one. */
async function reach(): Promise<Result<Connected>> {
	const reached = await connectOrStartToDecide('run', 'run');
	if (reached.ok || AS_IT_IS.has(reached.error.code)) return reached;
	return err(new AppError('cannot_start', reached.error.message, { cause: reached.error }));
}

/** Other codes become `cannot_start`: a timeout of the runner must not look like --timeout. */
const AS_IT_IS: ReadonlySet<ErrorCode> = new Set(['unauthorized', 'usage']);

/** Stops also if the agent never starts. */
async function beginInTime(beginning: Promise<Result<BegunRun>>, stops: Stops, options: RunOptions): Promise<Result<BegunRun>> {
	const first = await Promise.race([beginning, stops.first]);
	if ('ok' in first) return first;
	const late = await within(beginning);
	if (late.inTime) return late.value;
	const code = first.type === 'timed-out' ? 'timed_out' : 'interrupted';
	fail(new AppError(code, 'The run was stopped before its agent started. See "roost sessions".'), options);
	// An unanswered request would keep the process alive.
	process.exit();
}

type Course = { connected: Connected; begun: BegunRun; request: RunRequest; stops: Stops; options: RunOptions };

async function carryOut({ connected, begun, request, stops, options }: Course): Promise<void> {
	const { sessionId, agent, waiting } = begun;
	await using output = unwrap(await openRunOutput(begun, options, process));
	output.note(`session ${sessionId} of ${agent}${waiting ? ': prompt queued' : ''}`);
	const end = await follow({ connected, begun, request, stops, options }, output);
	const outcome = toOutcome(end, sessionId);
	const written = await output.finish(outcome ? undefined : end.over?.text);
	if (outcome && end.stop?.type === 'reader-left') process.exitCode = EXIT.interrupted;
	else if (outcome) fail(outcome, options);
	else if (!written.ok) fail(written.error, options);
	// An unanswered request would keep the process alive.
	if (end.isStuck) process.exit();
}

async function follow({ connected, begun, request, stops, options }: Course, output: RunOutput): Promise<RunEnd> {
	using answerHere = openAnswerHere(connected, output, request, options);
	return await followRun({ connected, begun, onAsk: request.onAsk, answerHere, stops, say: output.say, onEvent: output.show });
}

/** Undefined if there is no terminal, or requests are not to be answered. */
function openAnswerHere(
	{ api }: Connected,
	output: RunOutput,
	{ onAsk }: RunRequest,
	{ json }: RunOptions,
): AnswerHere | undefined {
	const keys = onAsk === 'wait' && !json ? openTerminalKeys(process) : undefined;
	return keys && createAnswerHere({ keys, output, asks: api.asks, known, now: steadyNow, columns: () => process.stderr.columns });

	async function known({ sessionId }: AskRow) {
		const [session, rules] = await Promise.all([api.record.session({ id: sessionId }), api.rules.list()]);
		if (!session.ok) return session;
		if (!rules.ok) return rules;
		const inForce = rules.value.filter((rule) => isInForce(rule, Date.now()));
		return ok({ rules: inForce, scope: { sessionId, projectId: session.value.projectId } });
	}
}

function toOutcome({ over, stop }: RunEnd, id: SessionId): AppError | undefined {
	if (stop) return stopOutcome(stop, id);
	if (over?.status === 'completed') return undefined;
	if (over?.atTurnLimit) return new AppError('turn_limit', `${over.reason ?? 'The agent reached its turn limit.'} ${goOn(id)}`);
	return over?.refused ? deniedOutcome(over, id) : failedOutcome(over, id);
}

function stopOutcome(stop: Stop, id: SessionId): AppError {
	switch (stop.type) {
		case 'timed-out':
			return new AppError('timed_out', `The time is up, so the run was interrupted. ${goOn(id)}`);
		case 'interrupted':
		case 'reader-left':
			return new AppError('interrupted', `The run was interrupted. ${goOn(id)}`);
		case 'refused':
			return new AppError('denied', `${stop.sentence} ${goOn(id)}`);
		case 'lost':
			return new AppError('internal', `${stop.sentence} ${goOn(id)}`);
		default:
			return assertNever(stop);
	}
}

function deniedOutcome({ reason }: RunOver, id: SessionId): AppError {
	const why = reason ? ` (${reason})` : '';
	return new AppError('denied', `The agent was denied a request and could not continue${why}. ${lookAt(id)}`);
}

function failedOutcome(over: RunOver | undefined, id: SessionId): AppError {
	const how = over?.status === 'failed' ? 'The agent failed' : 'The run ended before the agent was done';
	return new AppError('agent_failed', `${toSentence(over?.reason ? `${how}: ${over.reason}` : how)} ${lookAt(id)}`);
}

function goOn(id: SessionId): string {
	return `Resume it with "roost run --resume ${id}".`;
}

function lookAt(id: SessionId): string {
	return `See "roost feed ${id}".`;
}
