// Which operations a server has once for each of its runners, below /runners/:runner, and which only for itself.
import { API } from './api-path.ts';

const OWN: ReadonlySet<string> = new Set(['login', 'devices', 'push', 'server', 'runners', 'sockets', 'hub']);

/** `resource`: its name in the contract. */
export function isOfRunner(resource: string): boolean {
	return !OWN.has(resource);
}

/** The same path of one runner. `runner` is a parameter of a route, or an id. */
export function toRunnerPath(path: string, runner = ':runner'): string {
	return path.replace(API, `${API}/runners/${runner}`);
}
