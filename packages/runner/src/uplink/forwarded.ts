// What a hub passes on: reads and commands, each run as the same operation as a local request, if the owner of this machine accepts it.
import { sanitiseLine } from '@roost/core/display/sanitise';
import { checkSeal } from '@roost/core/hub/signed-command';
import type { Caller, ThroughHub } from '@roost/gateway/access/caller';
import { toWireError, winnerOf } from '@roost/gateway/http/errors';
import { isDownload, isRawJson } from '@roost/gateway/http/reply';
import { type Callable, callFlat } from '@roost/gateway/operations/api';
import { RUNNER_OPERATIONS } from '@roost/gateway/operations/served-runner';
import type { Keyring } from '@roost/home/hub/keyring';
import { sha256 } from '@roost/machine/sha256';
import { isSignedBy } from '@roost/machine/signing-key';
import { AppError } from '@roost/protocol/app-error';
import type { Operation } from '@roost/protocol/contract/operation';
import { type Accepts, type CommandClass, commandClass } from '@roost/protocol/hub/accepts';
import type { CommandProof } from '@roost/protocol/hub/command-proof';
import type { HubFrame, LinkCall, LinkOutcome, TerminalOpen } from '@roost/protocol/hub/link-frames';
import { type SealedAttach, TERMINAL_ATTACH } from '@roost/protocol/hub/terminal-channel';
import type { RunnerId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { RunnerReceipts } from '../record/receipts.ts';
import type { Refusals } from './refusals.ts';
import { createUsedSeals } from './used-seals.ts';

type Request = Extract<HubFrame, { type: 'request' }>;
type Command = Extract<HubFrame, { type: 'session.command' }>;

export type Forwarded = {
	/** Nothing of it is stored. */
	request(frame: Request): Promise<LinkOutcome>;
	/** Once per id: a repeat gets the first outcome, also from the next runner. */
	command(frame: Command): Promise<LinkOutcome>;
	/** Whether a face may attach to the terminal that the hub asked for. */
	attach(opened: TerminalOpen, asked: SealedAttach): Promise<Result<void>>;
	/** Whether the device of an open terminal is still trusted. */
	mayStay(asked: SealedAttach): boolean;
};

export type ForwardedDeps = {
	runnerId: RunnerId;
	accepts: Accepts;
	/** The operations of this runner, by name. */
	api: ReadonlyMap<string, Callable>;
	/** Read at each use. */
	keyring: Pick<Keyring, 'find'>;
	receipts: Pick<RunnerReceipts, 'isKnown'>;
	refusals: Refusals;
	/** The clock of this machine decides deadlines. */
	now: () => number;
	warn: (sentence: string) => void;
};

/** What runs at once; the hub gets an error for the rest. */
const MOST_RUNNING = 1_000;

export function createForwarded(deps: ForwardedDeps): Forwarded {
	let running = 0;
	const used = createUsedSeals(deps.now);

	async function request({ id, ...call }: Request): Promise<Result<unknown>> {
		const found = find(call);
		if (!found.ok) return await refuse(id, call, found.error);
		const { callable, kind } = found.value;
		if (kind !== 'read' || deps.accepts.read === 'none') return await refuse(id, call, notAccepted(call.operation));
		return await callFlat(callable, call.input, toCaller(call, callable.operation, { via: 'hub' }));
	}

	/** No waiting before the call, so that commands run in the order in which they came. */
	async function command({ commandId, ...call }: Command): Promise<Result<unknown>> {
		const found = find(call);
		if (!found.ok) return await refuse(commandId, call, found.error);
		const { callable } = found.value;
		const known = deps.receipts.isKnown(commandId);
		if (!known.ok) return known;
		// What has run is not judged again: its signature may have expired since.
		const admitted = known.value ? ok(undefined) : admit(commandId, call, found.value.kind);
		if (!admitted.ok) return await refuse(commandId, call, admitted.error);
		const through: ThroughHub = { via: 'hub', commandId, proof: admitted.value };
		const result = await callFlat(callable, call.input, toCaller(call, callable.operation, through));
		if (!result.ok && result.error.code === 'denied') await refuse(commandId, call, result.error);
		return result;
	}

	function find(call: LinkCall): Result<{ callable: Callable; kind: CommandClass }> {
		const callable = isForwarded(RUNNER_OPERATIONS.get(call.operation)) ? deps.api.get(call.operation) : undefined;
		const kind = callable && commandClass(call.operation, callable.operation.needs, call.input);
		return callable && kind ? ok({ callable, kind }) : err(notAccepted(call.operation));
	}

	/** The proof of a command that has to be signed; undefined where a role on the hub is enough. */
	function admit(id: string, call: LinkCall, kind: CommandClass): Result<CommandProof | undefined> {
		const { commandId = id } = call.input;
		if (commandId !== id) return err(new AppError('denied', 'Its input names another command ID.'));
		const level = kind === 'read' ? 'none' : deps.accepts[kind];
		if (level === 'none') return err(notAccepted(call.operation));
		return level === 'role' ? ok(undefined) : verify(id, call, kind);
	}

	function verify(id: string, { operation, input, by, seal }: LinkCall, kind: CommandClass): Result<CommandProof> {
		if (!seal) return err(new AppError('denied', `This runner runs "${operation}" for a hub only if a device has signed it.`));
		if (operation.startsWith('asks.') && typeof input.shown !== 'string') return err(new AppError('denied', NOT_SHOWN));
		const device = deps.keyring.find(seal.device);
		if (!device.ok) return device;
		const sealed = { id, operation, input, kind, by, seal, device: device.value };
		return checkSeal(sealed, deps.runnerId, deps.now(), { hash: sha256, isSignedBy });
	}

	function whyNotAttach({ terminalId }: TerminalOpen, { input, seal }: SealedAttach, call: LinkCall): AppError | undefined {
		if (input.id !== terminalId)
			return new AppError('denied', `The hub opened terminal "${terminalId}" instead of "${input.id}".`);
		const admitted = admit(seal.id, call, 'own');
		if (!admitted.ok) return admitted.error;
		return used.use(seal.id, seal.expiresAt) ? undefined : new AppError('denied', 'This signature was used before.');
	}

	async function attach(opened: TerminalOpen, asked: SealedAttach): Promise<Result<void>> {
		const call: LinkCall = { operation: TERMINAL_ATTACH, input: asked.input, by: opened.by, seal: asked.seal };
		const error = whyNotAttach(opened, asked, call);
		return error ? await refuse(asked.seal.id, call, error) : ok(undefined);
	}

	async function refuse(id: string, call: LinkCall, error: AppError): Promise<Result<never>> {
		await deps.refusals.record({ id, call, why: error.message });
		return err(error);
	}

	async function bounded(operation: string, run: () => Promise<Result<unknown>>): Promise<LinkOutcome> {
		if (running >= MOST_RUNNING) return toOutcome(err(new AppError('rate_limited', 'The runner is busy; retry later.')));
		running += 1;
		try {
			return toOutcome(await run());
		} catch (bug) {
			deps.warn(`"${operation}" of the hub failed: ${bug instanceof Error ? bug.stack : String(bug)}`);
			return toOutcome(err(new AppError('internal', 'The runner could not do this. See its log.')));
		} finally {
			running -= 1;
		}
	}

	return {
		request: (frame) => bounded(frame.operation, () => request(frame)),
		command: (frame) => bounded(frame.operation, () => command(frame)),
		attach,
		mayStay({ seal }) {
			if (deps.accepts.own !== 'signed') return true;
			const device = deps.keyring.find(seal.device);
			return device.ok && device.value?.classes.includes('own') === true;
		},
	};
}

const NOT_SHOWN = 'The answer does not say what was shown to the user. Answer with a newer client.';

function notAccepted(operation: string): AppError {
	return new AppError('denied', `This runner does not accept "${operation}" from a hub. See hub.accepts in its config.yaml.`);
}

/** Secrets, files and sockets stay on the machine. */
function isForwarded(operation: Operation | undefined): boolean {
	return operation !== undefined && !NEVER.some((mark) => operation[mark]);
}

const NEVER = ['tokenOnly', 'deviceOnly', 'upgrade', 'media'] as const;

const LONGEST_NAME = 64;

/** The face of a verified device has a colon, which no other caller can claim; the rest is what the hub says. */
function toCaller({ by }: LinkCall, { needs }: Operation, through: ThroughHub): Caller {
	const name = sanitiseLine(by.name).slice(0, LONGEST_NAME).toWellFormed() || 'unknown';
	const device = through.proof?.device_id;
	const face = device === undefined ? `hub-${by.face.replaceAll(/[^\w]+/g, '-')}` : `hub:${device}`;
	const principal = { name, face: face.slice(0, LONGEST_NAME) };
	return { ...through, principal, roles: needs === 'none' ? [] : [needs], address: '', origin: undefined };
}

function toOutcome(result: Result<unknown>): LinkOutcome {
	if (!result.ok) return { ok: false, error: toWireError(result.error), winner: winnerOf(result.error) };
	const { value } = result;
	if (isDownload(value)) return toOutcome(err(new AppError('denied', 'Files stay on the machine of the runner.')));
	return { ok: true, value: isRawJson(value) ? JSON.parse(value.rawJson) : (value ?? {}) };
}
