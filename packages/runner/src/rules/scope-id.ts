// Of which session or project a rule speaks.
import type { RuleBody } from '@roost/protocol/api/rules';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';

export function toScopeId(body: RuleBody): Result<string> {
	if (body.scope === 'user') return ok('user');
	if (body.scopeId) return ok(body.scopeId);
	return err(new AppError('bad_request', `A rule for a ${body.scope} must say which: give its scopeId.`));
}
