// The table of roles: what a person may have a runner do.
import { COMMAND_CLASSES } from '@roost/protocol/hub/accepts';
import { personRole } from '@roost/protocol/hub/people';
import { describe, expect, it } from 'vitest';
import { mayCommand, toApiRoles } from './roles.ts';

const TABLE = {
	viewer: [['read'], ['view']],
	operator: [
		['read', 'stop', 'operate'],
		['view', 'operate'],
	],
	approver: [
		['read', 'stop', 'approve'],
		['view', 'approve'],
	],
	admin: [['read', 'stop'], ['view']],
	owner: [
		['read', 'stop', 'operate', 'approve', 'own'],
		['view', 'operate', 'approve', 'own'],
	],
} as const;

describe('roles of people', () => {
	it.each(personRole.options)('%s may do what the table says, and nothing else', (role) => {
		const held = new Set([role]);
		const [commands, api] = TABLE[role];
		expect(COMMAND_CLASSES.filter((kind) => mayCommand(held, kind))).toEqual(commands);
		expect(toApiRoles(held)).toEqual(api);
	});

	it('are sets: together they give what each of them gives, and none gives nothing', () => {
		const both = new Set(['operator', 'approver'] as const);
		expect(COMMAND_CLASSES.filter((kind) => mayCommand(both, kind))).toEqual(['read', 'stop', 'operate', 'approve']);
		expect(COMMAND_CLASSES.filter((kind) => mayCommand(new Set(), kind))).toEqual([]);
		expect(toApiRoles(new Set())).toEqual([]);
	});
});
