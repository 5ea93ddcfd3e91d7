// Answers asks from any face: checked against their ask; the first answer wins. Shows the file that a call would write.
import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { toShownText } from '@roost/core/hub/shown-ask';
import type { Redactor } from '@roost/core/redaction/redact';
import { offerPatterns } from '@roost/core/rules/offer-patterns';
import { toolRuleGlob } from '@roost/core/rules/tool-glob';
import { findProjectOf } from '@roost/home/project';
import { readText, unlessHidden } from '@roost/machine/foreign-file';
import { sha256 } from '@roost/machine/sha256';
import type { AnswerBody, ApproveBody, ApprovedAsk } from '@roost/protocol/api/answers';
import type { AskDetail, FileBefore } from '@roost/protocol/api/asks';
import type { RuleBody } from '@roost/protocol/api/rules';
import { AppError } from '@roost/protocol/app-error';
import type { AskRow, AskVerdict, Principal } from '@roost/protocol/ask';
import type { AskId, SessionId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Rule } from '@roost/protocol/rule';
import type { SessionRow } from '@roost/protocol/session-row';
import type { Engine } from '../engine/engine.ts';
import type { RuleBook } from './rule-book.ts';
import { isSecretFile } from './secret-files.ts';

export function createAskAnswers(deps: {
	engine: Engine;
	rules: RuleBook;
	projectOf: (id: SessionId) => string;
	readFileBefore: ReadFileBefore;
}) {
	const { engine } = deps;

	async function settle(
		sessionId: SessionId,
		{ askId, nonce, shown }: Pick<AnswerBody, 'askId' | 'nonce' | 'shown'>,
		verdict: AskVerdict,
		by: Principal,
	): Promise<Result<AskRow>> {
		const row = engine.asks.find(askId);
		if (!row || row.sessionId !== sessionId)
			return err(new AppError('not_found', `Ask "${askId}" not found in session ${sessionId}.`));
		if (row.nonce !== nonce)
			return err(new AppError('bad_request', `This answer is for another ask than ${askId}. Read the ask again.`));
		if (shown !== undefined && shown !== sha256(toShownText(row))) return err(new AppError('denied', shownOther(by)));
		const answered = await engine.answer(askId, verdict, by);
		const now = engine.asks.find(askId) ?? row;
		if (answered.ok) return ok(now);
		if (answered.error.code !== 'conflict') return answered;
		return err(
			new AppError('conflict', `Ask ${askId} was already ${now.state} by ${now.decidedBy ?? 'another user'}.`, { cause: now }),
		);
	}

	/** Checked before the answer is given, because an answer cannot be undone. */
	function rulesFor(row: AskRow, body: ApproveBody): Result<RuleBody[]> {
		if (!body.persist) return ok([]);
		const { decision, scope = 'session', forMs } = body;
		const projectId = deps.projectOf(row.sessionId);
		const scopeId = { session: row.sessionId, project: projectId, user: 'user' }[scope];
		const offer = { decision, rules: deps.rules.inForce(), scope: { sessionId: row.sessionId, projectId } };
		const given = body.rules ?? (body.rule && [body.rule]);
		const wanted = given ?? offerPatterns(row, offer).map((argsPattern) => ({ tool: undefined, argsPattern }));
		if (wanted.length === 0 || wanted.some(({ argsPattern }) => argsPattern === ''))
			return err(new AppError('bad_request', 'No pattern fits this call. Give one with the answer, or answer without a rule.'));
		return ok(
			wanted.map(({ tool = toolRuleGlob(row.tool), argsPattern }) => ({ tool, argsPattern, decision, scope, scopeId, forMs })),
		);
	}

	async function addAll(bodies: readonly RuleBody[], by: Principal): Promise<Result<Rule[]>> {
		const rules: Rule[] = [];
		for (const body of bodies) {
			const added = await deps.rules.add(body, by);
			if (!added.ok) return added;
			rules.push(added.value);
		}
		return ok(rules);
	}

	return {
		list: engine.asks.list,
		async show(id: AskId): Promise<Result<AskDetail>> {
			const row = engine.asks.find(id);
			if (!row) return err(new AppError('not_found', `Ask "${id}" not found. Run "roost asks --all" to list asks.`));
			const file = await deps.readFileBefore(row);
			return ok(file ? { ...row, file } : row);
		},
		async approve(sessionId: SessionId, body: ApproveBody, by: Principal): Promise<Result<ApprovedAsk>> {
			const problem = problemOf(body);
			if (problem) return err(problem);
			const row = engine.asks.find(body.askId);
			const wanted = row?.sessionId === sessionId ? rulesFor(row, body) : ok([]);
			if (!wanted.ok) return wanted;
			const settled = await settle(sessionId, body, toVerdict(body), by);
			if (!settled.ok) return settled;
			const rules = await addAll(wanted.value, by);
			if (!rules.ok) return rules;
			return ok(rules.value.length === 0 ? settled.value : { ...settled.value, rules: rules.value });
		},
		answer: (sessionId: SessionId, body: AnswerBody, by: Principal) =>
			settle(sessionId, body, { type: 'answer', answers: body.answers }, by),
	};
}

function shownOther({ face }: Principal): string {
	const who = /^hub[:-]/.test(face) ? 'The hub' : 'This client';
	return `${who} showed another input than the agent asks for, so nothing was decided. Decide it on the machine of the agent.`;
}

function toVerdict(body: ApproveBody): AskVerdict {
	if (body.decision === 'allow') return { type: 'allow', updatedInput: body.modifiedInput };
	return { type: 'deny', message: body.denyMessage ?? 'denied by the user', interrupt: body.interrupt };
}

/** Redacted input cannot be sent back: the agent would get the marker instead of the secret. */
function problemOf(body: ApproveBody): AppError | null {
	if (!body.modifiedInput || !JSON.stringify(body.modifiedInput).includes('[redacted:')) return null;
	return new AppError('bad_request', 'This input holds a redacted secret and cannot be edited: allow it as it is, or deny it.');
}

/** The current file of a pending call, for a diff; undefined if the call writes no file or is decided. */
type ReadFileBefore = (ask: AskRow) => Promise<FileBefore | undefined>;

const MOST_BYTES = 256 * 1024;
const FILE_TOOLS = new Set(['Write', 'Edit', 'MultiEdit']);

/** Reads only regular files of the session's project, never through a link, and redacts them. */
export function createReadFileBefore(deps: {
	sessionOf: (id: SessionId) => SessionRow | undefined;
	redactor: Redactor;
}): ReadFileBefore {
	return async (ask) => {
		const { file_path: path } = ask.input;
		const session = deps.sessionOf(ask.sessionId);
		if (ask.state !== 'pending' || !FILE_TOOLS.has(ask.tool) || typeof path !== 'string' || !session) return undefined;
		const file = await readIn(session, resolve(session.drive?.cwd ?? session.projectPath, path));
		return file.state === 'text' ? { ...file, text: deps.redactor.redact(file.text).value } : file;
	};
}

async function readIn(session: SessionRow, path: string): Promise<FileBefore> {
	const folder = await unlessHidden(realpath(dirname(path)));
	if (folder === null) return { state: 'absent' };
	if (!(await isOfProject(session, folder))) return { state: 'unread', why: 'it is outside the project' };
	const real = join(folder, basename(path));
	if (isSecretFile(real)) return { state: 'unread', why: 'it may contain secrets' };
	const read = await readText(real, { mostBytes: MOST_BYTES, refuse: (found) => refuse(found, real) });
	if (read.kind === 'absent') return { state: 'absent' };
	if (read.kind === 'refused') return { state: 'unread', why: read.why };
	return read.cut ? { state: 'unread', why: `it is larger than ${MOST_BYTES / 1024} KiB` } : { state: 'text', text: read.text };
}

/** Worktrees of a project may be anywhere. */
async function isOfProject({ projectPath }: SessionRow, folder: string): Promise<boolean> {
	if (folder === projectPath || folder.startsWith(projectPath.endsWith(sep) ? projectPath : `${projectPath}${sep}`)) return true;
	const project = await findProjectOf(folder);
	return project.ok && project.value.path === projectPath;
}

function refuse({ realPath, links }: { realPath: string; links: number }, expected: string): string | undefined {
	if (realPath !== expected) return 'it is a symbolic link';
	return links > 1 ? 'it has more than one hard link' : undefined;
}
