// Where asks are answered, from any face: checked against the ask they were made for, then first come, first served.
import { offerPatterns } from '@roost/core/rules/offer-patterns';
import { toolRuleGlob } from '@roost/core/rules/tool-glob';
import type { AnswerBody, ApproveBody, ApprovedAsk } from '@roost/protocol/api/answers';
import type { AskDetail } from '@roost/protocol/api/asks';
import type { RuleBody } from '@roost/protocol/api/rules';
import { AppError } from '@roost/protocol/app-error';
import type { AskRow, AskVerdict, Principal } from '@roost/protocol/ask';
import type { AskId, SessionId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Rule } from '@roost/protocol/rule';
import type { Engine } from '../engine/engine.ts';
import type { ReadFileBefore } from './read-file-before.ts';
import type { RuleBook } from './rule-book.ts';

export type AskAnswers = {
	list(query: { all?: boolean }): AskRow[];
	show(id: AskId): Promise<Result<AskDetail>>;
	approve(sessionId: SessionId, body: ApproveBody, by: Principal): Promise<Result<ApprovedAsk>>;
	answer(sessionId: SessionId, body: AnswerBody, by: Principal): Promise<Result<AskRow>>;
};

export function createAskAnswers(deps: {
	engine: Engine;
	rules: RuleBook;
	projectOf: (id: SessionId) => string;
	readFileBefore: ReadFileBefore;
}): AskAnswers {
	const { engine } = deps;

	async function settle(
		sessionId: SessionId,
		askId: AskId,
		nonce: string,
		verdict: AskVerdict,
		by: Principal,
	): Promise<Result<AskRow>> {
		const row = engine.asks.find(askId);
		if (!row || row.sessionId !== sessionId)
			return err(new AppError('not_found', `There is no ask ${askId} in session ${sessionId}.`));
		if (row.nonce !== nonce)
			return err(new AppError('bad_request', `This answer was made for another ask than ${askId}: look at it again.`));
		const answered = await engine.answer(askId, verdict, by);
		const now = engine.asks.find(askId) ?? row;
		if (answered.ok) return ok(now);
		if (answered.error.code !== 'conflict') return answered;
		return err(
			new AppError('conflict', `Ask ${askId} was ${now.state} by ${now.decidedBy ?? 'somebody else'} before.`, { cause: now }),
		);
	}

	/** The rules to be made of an answer, known before it is given: an answer is not taken back because of them. */
	function rulesFor(row: AskRow, body: ApproveBody): Result<RuleBody[]> {
		if (!body.persist) return ok([]);
		const { decision, scope = 'session', forMs } = body;
		const projectId = deps.projectOf(row.sessionId);
		const scopeId = { session: row.sessionId, project: projectId, user: 'user' }[scope];
		const offer = { decision, rules: deps.rules.inForce(), scope: { sessionId: row.sessionId, projectId } };
		const given = body.rules ?? (body.rule && [body.rule]);
		const wanted = given ?? offerPatterns(row, offer).map((argsPattern) => ({ tool: undefined, argsPattern }));
		if (wanted.length === 0 || wanted.some(({ argsPattern }) => argsPattern === ''))
			return err(new AppError('bad_request', 'No pattern fits this call. Name one with the answer, or answer without a rule.'));
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
		list: (query) => engine.asks.list(query),
		async show(id) {
			const row = engine.asks.find(id);
			if (!row) return err(new AppError('not_found', `Ask "${id}" not found. Run "roost asks --all" to list asks.`));
			const file = await deps.readFileBefore(row);
			return ok(file ? { ...row, file } : row);
		},
		async approve(sessionId, body, by) {
			const problem = problemOf(body);
			if (problem) return err(problem);
			const row = engine.asks.find(body.askId);
			const wanted = row?.sessionId === sessionId ? rulesFor(row, body) : ok([]);
			if (!wanted.ok) return wanted;
			const settled = await settle(sessionId, body.askId, body.nonce, toVerdict(body), by);
			if (!settled.ok) return settled;
			const rules = await addAll(wanted.value, by);
			if (!rules.ok) return rules;
			return ok(rules.value.length === 0 ? settled.value : { ...settled.value, rules: rules.value });
		},
		answer: (sessionId, body, by) => settle(sessionId, body.askId, body.nonce, { type: 'answer', answers: body.answers }, by),
	};
}

function toVerdict(body: ApproveBody): AskVerdict {
	if (body.decision === 'allow') return { type: 'allow', updatedInput: body.modifiedInput };
	return { type: 'deny', message: body.denyMessage ?? 'denied by the user', interrupt: body.interrupt };
}

/** What was redacted cannot be sent back: the agent would get the mark instead of the secret. */
function problemOf(body: ApproveBody): AppError | null {
	if (!body.modifiedInput || !JSON.stringify(body.modifiedInput).includes('[redacted:')) return null;
	return new AppError('bad_request', 'This input holds a redacted secret and cannot be edited: allow it as it is, or deny it.');
}
