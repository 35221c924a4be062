import { useI18n } from 'vue-i18n';
import type { Detail } from '#shared/details.ts';
import { formatDeviceReason } from '#shared/device-reason.ts';
import type { AllowedValues, ErrorShape } from '#shared/errors.ts';
import { describeDetail, formatDetailWithHint, formatMessage } from '../labels/detail-text.ts';
import { changeLabel, findSectionField, useFieldLabels } from '../labels/field-labels.ts';
import { reveal } from '../labels/format.ts';
import { isFrequent } from './failures.ts';

const OPTIONS_SHOWN = 12;

/** An error in the language of the screen, chosen by its code and its structured members alone. */
export function useErrorText() {
  const { t, te } = useI18n();
  const fieldLabels = useFieldLabels();

  /** Returns what is special about the cause of an error; undefined if its code says it all. */
  function findCause(error: ErrorShape): string | undefined {
    return (
      error.reason ??
      (error.code === 'connection-lost' ? lostWhere(error) : undefined) ??
      (error.detail?.id === 'device.nothing-there' ? 'nothing-there' : undefined)
    );
  }

  /** Returns the words of a special cause: the screen's own, else those of the engine, which serve every face. */
  function wordsOfCause(error: ErrorShape, part: 'title' | 'why' | 'try'): string | undefined {
    const cause = findCause(error);
    if (cause === undefined) return undefined;
    const special = `error.reason.${error.code}.${cause}.${part}`;
    if (te(special)) return t(special);
    const own = error.detail === undefined ? undefined : formatDetailWithHint(error.detail);
    return part === 'title' ? undefined : part === 'why' ? own?.message : own?.hint;
  }

  /** The words of its special cause, where it has one, else of its code. */
  function wordsOf(error: ErrorShape, part: 'title' | 'why' | 'try'): string {
    return wordsOfCause(error, part) ?? t(`error.${error.code}.${part}`);
  }

  /** The advice of the very problem, which fits better than that of its code. */
  function ownAdvice({ detail }: ErrorShape): string | undefined {
    if (detail === undefined || detail.id.startsWith('device.')) return undefined;
    return formatDetailWithHint(detail)?.hint;
  }

  /** Returns the advice of a code; nothing where it is possibly wrong: much that is not available stays so. */
  function adviceOfCode(error: ErrorShape): string | undefined {
    return error.code === 'not-available' && error.detail !== undefined ? undefined : wordsOf(error, 'try');
  }

  /** Returns which connection broke: the one to the program, or one to a device that was only read. */
  function lostWhere({ source, exchange }: ErrorShape): 'program' | 'reading' | undefined {
    if (source === 'app') return 'program';
    return exchange?.method === 'GET' ? 'reading' : undefined;
  }

  /** Returns the words for a known `subStatusCode`; the device's own text is not interpreted. */
  function subMeaning({ status }: ErrorShape): string | undefined {
    const sub = status?.subStatusCode?.toLowerCase().replace(/[^a-z]/g, '') ?? '';
    const id = `error.sub.${sub}`;
    return sub !== 'ok' && te(id) ? t(id) : undefined;
  }

  /** Meaning of the device's codes, where they are known. */
  function meaning(error: ErrorShape): string | undefined {
    const code = Number(error.status?.statusCode);
    const id = `error.status.${code}`;
    return subMeaning(error) ?? (code >= 2 && te(id) ? t(id) : undefined);
  }

  /** The device's own reason, after its meaning where that is known; a general word only where there is no reason. */
  function reasonText(error: ErrorShape): string | undefined {
    const reason = formatDeviceReason(error.status);
    if (reason === undefined || reason === error.status?.statusString) return meaning(error) ?? reason;
    const known = subMeaning(error);
    return reveal(known === undefined ? reason : `${known} (${reason})`);
  }

  function limits({ min, max, minLength, maxLength, options }: AllowedValues): readonly string[] {
    const found: string[] = [];
    if (min !== undefined && max !== undefined)
      found.push(min > max ? t('error.fact.nothingLeft') : t('error.fact.between', { min, max }));
    else if (min !== undefined) found.push(t('error.fact.atLeast', { min }));
    else if (max !== undefined) found.push(t('error.fact.atMost', { max }));
    if (maxLength !== undefined) found.push(t('error.fact.atMostLength', { max: maxLength }));
    if (minLength !== undefined && minLength > 0)
      found.push(t('error.fact.atLeastLength', { min: minLength }));
    if (options?.length === 0) found.push(t('error.fact.nothingLeft'));
    if (options !== undefined && options.length > 0) {
      found.push(
        t('error.fact.options', {
          options:
            options
              .slice(0, OPTIONS_SHOWN)
              .map((option) => String(option))
              .join(', ') + (options.length > OPTIONS_SHOWN ? ', …' : ''),
        }),
      );
    }
    return found;
  }

  /** Returns the known numbers in short sentences; a running lock is shown by its countdown instead. */
  function facts(error: ErrorShape): readonly string[] {
    const found: string[] = [];
    const left = error.lock?.attemptsLeft;
    if (left !== undefined && error.lock?.locked !== true)
      found.push(t('error.fact.attemptsLeft', { n: left }));
    if (error.certificate !== undefined && error.certificate.pinned === undefined)
      found.push(certificateReason(error.certificate.reason));
    if (error.allowed !== undefined) found.push(...limits(error.allowed));
    const meant = error.source === 'device' && error.lock === undefined ? reasonText(error) : undefined;
    if (meant !== undefined) found.push(t('error.fact.deviceSays', { words: meant }));
    if (
      error.sent === true &&
      error.exchange?.method !== 'GET' &&
      (error.code === 'timeout' || error.code === 'connection-lost')
    )
      found.push(t('error.fact.mayHaveArrived'));
    return found;
  }

  /** Why the system does not trust a certificate. */
  function certificateReason(reason: string): string {
    const key = `error.certificate.${reason}`;
    return te(key) ? t(key) : t('error.certificate.other', { reason: reason });
  }

  /** Settings that still show something else have their labels here, not their names on the wire. */
  function withLabels({ operation = '', detail }: ErrorShape): Detail | undefined {
    const names = detail?.values?.['names'];
    if (detail?.id.startsWith('old-after-') !== true || typeof names !== 'string') return undefined;
    const set = operation.replace(/\.put$/, '');
    const label = (path: string): string =>
      changeLabel(fieldLabels.value.fields, set, { path, label: findSectionField(set, path)?.label ?? path });
    const [paths = '', ...more] = names.split(' …');
    const labelled = [paths.split(', ').map(label).join(', '), ...more].join(' …');
    return { ...detail, values: { ...detail.values, names: labelled } };
  }

  /**
   * Returns the engine's sentence about a rarer problem, which is more exact than its code, if it can be said
   * in this language.
   */
  function sentence(error: ErrorShape): string | undefined {
    const { detail } = error;
    const isOwn = detail === undefined ? isFrequent(error.code) : detail.id.startsWith('device.');
    const labelled = withLabels(error);
    if (labelled !== undefined) return describeDetail(labelled);
    return isOwn ? undefined : formatMessage(error);
  }
  function title(error: ErrorShape): string {
    return wordsOf(error, 'title');
  }

  return {
    title,
    sentence,
    /** All of it in one line, for lists. */
    line: (error: ErrorShape): string => sentence(error) ?? [title(error), ...facts(error)].join(' · '),
    why: (error: ErrorShape): string => wordsOf(error, 'why'),
    /** Returns the steps to try, the first step first; none where the sentence says it all. */
    steps: (error: ErrorShape): readonly string[] =>
      (wordsOfCause(error, 'try') ?? ownAdvice(error) ?? adviceOfCode(error))?.split('\n') ?? [],
    meaning,
    facts,
    certificateReason,
    operation: (id: string): string | undefined => fieldLabels.value.fields[id],
  };
}
