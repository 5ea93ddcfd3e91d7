// Operations whose replies have events: an unknown kind does not make the rest unreadable, as in frames.
import { feedRow } from '@roost/protocol/api/feed-rows';
import { projects } from '@roost/protocol/contract/machine';
import { feed } from '@roost/protocol/contract/record';
import { tolerantEvent, tolerantLine } from '@roost/protocol/tolerant-line';
import { z } from 'zod';

const { risk, decision } = feedRow.shape;
/** Without what this version does not know, such as a new way to decide. */
const tolerantRow = feedRow.extend({ risk: risk.catch(undefined), decision: decision.catch(undefined) });

export const tolerantFeed = {
	...feed,
	events: { ...feed.events, reply: z.array(tolerantLine) },
	event: { ...feed.event, reply: tolerantLine },
	rows: { ...feed.rows, reply: feed.rows.reply.extend({ rows: z.array(tolerantRow) }) },
};

const pastPage = projects.events.reply;
const pastEvent = pastPage.shape.events.unwrap().element.extend({ event: tolerantEvent });

export const tolerantProjects = {
	...projects,
	events: { ...projects.events, reply: pastPage.extend({ events: z.array(pastEvent).readonly() }) },
};
