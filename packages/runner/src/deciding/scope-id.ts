// Which session or project a rule is about.
import type { RuleBody } from '@roost/protocol/api/rules';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Rule } from '@roost/protocol/rule';
import type { Projects } from '../record/projects.ts';

type RuleScopeOf = Pick<Rule, 'scopeId' | 'projectPath'>;

export async function toScope(body: RuleBody, projects: Pick<Projects, 'find'>): Promise<Result<RuleScopeOf>> {
	if (body.scope === 'user') return ok({ scopeId: 'user' });
	if (body.scopeId && body.scope === 'session') return ok({ scopeId: body.scopeId });
	const project = body.scopeId ? await projects.find(body.scopeId) : undefined;
	if (project) return project.ok ? ok({ scopeId: project.value.id, projectPath: project.value.path }) : project;
	return err(new AppError('bad_request', `A rule for a ${body.scope} must say which: give its scopeId.`));
}
