// Where a rule can apply, as options of a select: everywhere, in each known project, and in each session.
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { RuleBody } from '@roost/protocol/api/rules';
import { useConnected } from '../data/use-connected.ts';
import { useRead } from '../data/use-read.ts';
import { useWorld } from '../data/use-world.ts';

export const EVERYWHERE = 'user:';

export function usePlaces(): (readonly [place: string, words: string])[] {
	const { api } = useConnected();
	const { sessions } = useWorld();
	const found = useRead('projects', api.projects.list).value?.projects ?? [];
	const paths = new Set([...sessions.map(({ projectPath }) => projectPath), ...found.map(({ path }) => path)]);
	return [
		[EVERYWHERE, 'all my projects'],
		...[...paths].toSorted().map((path) => [`project:${path}`, `project ${sanitiseLine(path)}`] as const),
		...sessions.map(({ id, title }) => [`session:${id}`, `session ${sanitiseLine(title || id)}`] as const),
	];
}

export function parsePlace(place: string): Pick<RuleBody, 'scope' | 'scopeId'> {
	const scopeId = place.slice(place.indexOf(':') + 1);
	if (place.startsWith('project:')) return { scope: 'project', scopeId };
	return place.startsWith('session:') ? { scope: 'session', scopeId } : { scope: 'user' };
}
