// What people may do on a runner: their roles are sets, and none of the hub gives power over a machine.
import type { Role } from '@roost/protocol/contract/operation';
import type { CommandClass } from '@roost/protocol/hub/accepts';
import type { PersonRole } from '@roost/protocol/hub/people';

/** Reading is for everyone with a role. */
const COMMANDS: Readonly<Record<PersonRole, readonly CommandClass[]>> = {
	viewer: ['read'],
	operator: ['read', 'stop', 'operate'],
	approver: ['read', 'stop', 'approve'],
	admin: ['read', 'stop'],
	owner: ['read', 'stop', 'operate', 'approve', 'own'],
};

export function mayCommand(held: ReadonlySet<PersonRole>, wanted: CommandClass): boolean {
	return [...held].some((role) => COMMANDS[role].includes(wanted));
}

/** In the words of the API, for one runner. */
export function toApiRoles(held: ReadonlySet<PersonRole>): Role[] {
	const may = (wanted: CommandClass) => mayCommand(held, wanted);
	const roles: (Role | false)[] = [
		may('read') && 'view',
		may('operate') && 'operate',
		may('approve') && 'approve',
		may('own') && 'own',
	];
	return roles.filter((role) => role !== false);
}
