/** People on terminals. */
import { eventIterator, type } from '@orpc/contract';
import { z } from 'zod';
import type { PeopleEvent, PersonDetails } from '../people.ts';
import { id, shortText } from './inputs.ts';
import { route, waiting } from './route.ts';

export const employeeNo = z.string().min(1).max(200);

export const peopleRoutes = {
  /** The people of a device as they come; `text` is looked for by the device itself. */
  read: route('none')
    .input(z.object({ deviceId: id, text: shortText.optional() }))
    .output(eventIterator(type<PeopleEvent>())),
  /** Throws `not-found`. */
  person: waiting('none')
    .input(z.object({ deviceId: id, employeeNo }))
    .output(type<PersonDetails>()),
};
