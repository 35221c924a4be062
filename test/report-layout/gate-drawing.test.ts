/** The drawing of a gate for every kind of gate and any reading: all of it in the picture, and each beam once. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildGateDrawing } from '#engine/flow/gate/drawing.ts';
import { MOST_EMITTERS, type Controller, type GateReadings } from '#engine/flow/gate/readings.ts';
import { getReader } from '#engine/report-files/reader.ts';
import { drawFigure, measureBounds } from '#report-layout/figure.ts';
import type { Shape } from '#shared/report-document.ts';

/** The same readings at each run. */
const RUNS = { seed: 48, numRuns: 300 };
const LANGUAGES = ['en', 'zh-CN', 'de'] as const;
const BEAMS = Array.from({ length: MOST_EMITTERS }, (_none, at) => at + 1);

/** A reading that a gate may leave out. */
function maybe<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(value, { nil: undefined });
}
/** Numbers as a gate lists them, with those it does not have and what is no number. */
const numbers = maybe(
  fc
    .array(
      fc.oneof(
        { weight: 8, arbitrary: fc.integer({ min: -1, max: 60 }).map(String) },
        { weight: 1, arbitrary: fc.string({ maxLength: 8 }) },
        { weight: 1, arbitrary: fc.constantFrom('', ' 7 ', '99999', '1e3') },
      ),
      { maxLength: 64 },
    )
    .map((list) => list.join(',')),
);
const mode = maybe(fc.constantFrom('Controlled', 'Forbid', 'Free'));
/** A word of the interface, or what a later firmware may say in its place. */
const word = (...known: readonly string[]) => maybe(fc.oneof(fc.constantFrom(...known), fc.string()));

const controller: fc.Arbitrary<Controller> = fc.record({
  motorSensor: word('Normal', 'Abnormal'),
  dropArmSensorAbnormal: numbers,
  dropArm: word('Normal', 'Abnormal'),
  fireInput: word('Normal', 'Alarm'),
  caseTemp: maybe(fc.double({ noNaN: true })),
  brakeStatus: word('Brake', 'Release'),
  fanStatus: word('Start', 'Stop'),
  lampBoardCommFailed: numbers,
}) as fc.Arbitrary<Controller>;

const readings = fc.record(
  {
    status: fc.record({
      gateCurrentStatus: word('InDoorOpen', 'OutDoorOpen', 'Close'),
      currentInDoorMode: mode,
      currentOutDoorMode: mode,
      powerSupplyMode: word('Battery', 'ACPower'),
      caseTempUnit: word('Centigrade', 'Fahrenheit'),
    }),
    infrared: fc.record({
      IREmitter: maybe(
        fc.record({
          triggered: numbers,
          triggeredTimeout: numbers,
          receiveBoardAbnormal: numbers,
          sendBoardAbnormal: numbers,
          sendAndReceiveLocateAbnormal: numbers,
        }),
      ),
      masterIRAdaptorCommFailed: numbers,
      slaveIRAdaptorCommFailed: numbers,
    }),
    parts: fc.record({
      MasterChannelController: maybe(controller),
      SlaveChannelController: maybe(controller),
    }),
    dial: fc.record({ workMode: maybe(fc.string()), deviceType: maybe(fc.string()) }),
    fitted: fc.subarray(BEAMS),
    tested: fc.subarray(BEAMS),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Partial<GateReadings> & { fitted?: readonly number[]; tested?: readonly number[] }>;

/** Corners of a shape that is no text: the width of a text depends on the language. */
function corners(shape: Shape): readonly (readonly [number, number])[] {
  switch (shape.shape) {
    case 'text':
      return [[shape.x, shape.y]];
    case 'path':
      return shape.points;
    case 'circle':
      return [
        [shape.x - shape.r, shape.y - shape.r],
        [shape.x + shape.r, shape.y + shape.r],
      ];
    case 'rect':
      return [
        [shape.x, shape.y],
        [shape.x + shape.width, shape.y + shape.height],
      ];
  }
}

describe('the drawing of a gate', () => {
  // Would catch: beams 23, 24, 47 and 48 beyond the right edge, a leaf that swings out of the picture, a line to nowhere.
  it('has each of its parts inside, whatever the gate says', () => {
    fc.assert(
      fc.property(readings, (model) => {
        const { width, height, shapes } = buildGateDrawing(model);
        const outside = shapes.filter((shape) =>
          corners(shape).some(([x, y]) => !(x >= 0 && x <= width && y >= 0 && y <= height)),
        );

        expect(outside).toEqual([]);
      }),
      RUNS,
    );
  });

  // Would catch: words of a language that are longer than the room beside them, and are cut by the edge.
  it.each(LANGUAGES)('is drawn whole, its words too (%s)', (language) => {
    const reader = getReader(language);
    fc.assert(
      fc.property(readings, (model) => {
        const { width, height, marks } = drawFigure(buildGateDrawing(model), reader);
        const outside = marks.filter((mark) => {
          const box = measureBounds(mark);
          return !(box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height);
        });

        expect(outside).toEqual([]);
      }),
      { ...RUNS, numRuns: 100 },
    );
  });

  // Would catch: a beam that a garbled list drops or draws twice, so that a person walks past one that was never shown.
  it('has every beam once, each at a place of its own', () => {
    fc.assert(
      fc.property(readings, (model) => {
        const { shapes } = buildGateDrawing(model);
        const names = shapes.flatMap((shape) =>
          shape.shape === 'text' && typeof shape.text === 'string' ? [shape.text] : [],
        );
        const places = shapes.flatMap((shape) => (shape.shape === 'circle' ? [`${shape.x} ${shape.y}`] : []));

        expect(names).toEqual(BEAMS.map(String));
        expect(new Set(places).size).toBe(MOST_EMITTERS);
      }),
      RUNS,
    );
  });
});
