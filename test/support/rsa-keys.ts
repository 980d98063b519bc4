import type { JWK } from 'jose';

/**
 * The primes of 2,048-bit RSA keys, because generating them takes longer than most tests. They are public and protect
 * nothing.
 */
const primes: readonly (readonly [p: string, q: string])[] = [
  [
    '5QWZpCu9zkWhSlxYIQ8_ZT8bh0oypyMH0z4HazWl5tsXl2gJkkDmK345HKCbz7RVHJv--5tLlTJQeFKX9oBcYw' +
      'Uz1bzkkA67wnyhTaBRkI1FxtRSZX77iEniHxTOSm7rwPonb3vhbUvuYbs_zYLayDnffFXAPwzKw1GJ9iJTHl8',
    't91aPPtxCFJXRvugFM5QPGYPe1FAxyQCznAtepprtfidaLWZCmAjrZ4qtuaWWifhLATha8TdbDR-Mu-iLwNpC6' +
      '0K-O6y-OaOOHM1IgHnnKwjzalBB5A-1vYYHDP6KjeU-5_tUiJxkJi3dJynj8bw5iFOE4Kif6yTFRLOHvQTQEU',
  ],
  [
    '_CqOWkiSle-WBYaP6A7NjfyL5EaI-iJO1Nzc_lt8I1IY9E9BIs1BHZRl1Qs0d3g70mdkJi-yc2ioqOT5AZJByg' +
      '-FUXKBzanFMUa8Rtnp9za6thc5qV2V1XNhnh1Tk4FLB-lvRAxGCdt7h9bHIRzBiuJAT8VgYNK0Fnyz_7obUNE',
    'uLj3UB-v-Tq982yVcOOFeyTjWslW8t6Q4iaiyHLBMFziZMpHcebbhtXWYAoz-Zorj6rkwxdOcd11lxMyXXM8ah' +
      'NTnA1MWxcibtGQIec9rEFs8a-ZWrOTnfZ6V45m7JODKiEzBGgeXbPX_uknorkdZ8175sSTkItSX5ZmJsBvvYk',
  ],
  [
    '-kFMEywTcxCJJ78OqUt6ifsxFo_tLcTSFzaRgbVL7ybmGUbgqYBFrKsz2HYjMtI8qvzcEjxXeNF48koHoX76ph' +
      'N5Br8nXN0ocpGzCQ4D54A3I5MkXvEi1NfeyhV3XixxhFhLd_S5MnzFDyugOcrRe3hjFgoYQH-iy_HaTD2_o50',
    '8TCBTv6HSkJWNqLLkvSdc8eMbbdaK2ej1pzndn5gYh_J53cxOhpHPCJwb8NCAWIhVJhT_YuT07v_CZqvowyeJR' +
      'O5_vknAu0hbJTFRFbDwMVjmGWaQCvOGmaqddj-SMDrLERTX_8VlcZnszZyI3l6O4bvA-Cn-E8IA7L1xwwRQjE',
  ],
  [
    '6VtjvaTjdS2VcCTCuBrhHhQtvedYWqayzCEkx_QKMV1g6taocyyIF8MPP3DiCMxJ3085zAQJSZXZtL9kMRf_gY' +
      'P5N8oFhCz2YXYjyAlUTGRyd1zAYWpZWRouEdFr1fM2QfH2R0oL3fA3TVTcK0ZPCWfyTku1QrGaogRAxCeFi08',
    'yxCzOunu125ab-0ZIadMVMub37Gz3nmehFRs8KCwOIibBQL0BLUDJO7XCfWLvAyv9agYaCH0_QQ0NFTxj_LHnm' +
      'nfINDDjVm2N4gj6K1XVa28J00sjQGqOCBFLBQ-owkeN1Ayf0rUHz32J5m4mzjjZ2FUx1u5yFa1J94A7HQgmPU',
  ],
  [
    '7hoatMDqpTT_-xhr1MM3a8Lvhy2FMiFBh1AChFT-VHfCJ0wwphKE_BP8W4yJuBloYORtFmOS7fpIwOHMkhhj5R' +
      'cQ8rEs6THscZm2NvXNQ9Oo-6PKo17Pegkft28abR2nHepp2N24LBbWsG_km3HiBAubV8EZaMY8lQNJv0SW5dM',
    'yZt-FZzneqKuSRQUqZBqV7UBDq7hJgCbt3wPX_qIWV_lFpZ89ibxUNbnaCisI3kiaNRNcGgkdopeo22GYarws3' +
      'CCkHGThK2GI1FbfWK83-OEroinLQHyGItte0FUnqDWOv8BEz5b4TMg9Vut_IVXmjUZXaAUWPboC6ZIUeBDh9U',
  ],
  [
    '8qdkS0L6pS4AzcRLSRy4kHu4KEXu25mkAwWh6ZbKUfWigYecVnX67RN3OT6EuF-lWZBlCjmrIhEEX9xtP2tIy8' +
      'DzkgO2objFDwQpbZMYqvgyy0raIWBSLtloLjBSdrHSuJoB4D6N_oqC0wN-0vP6CuE8DiefnZNaj_9dKSIDAS0',
    'zPM0WZaVPXgoqOYdMDQ6qQdGDkJHIn0GeIrC-ZMlFf5NzqyUQCdQrTGFT8oOHNbwvE_gMNAmc_TNdbpGR2rtmx' +
      '9iacgVBIntm_Zqc0Vo0GJliQPt_QibIhrVkRl6DVxr473z5lY4LiX2nJutEQ8BLhs45jQ0K2CcMKnx9-EoBrc',
  ],
];

export const rsaKeysMax = primes.length;

/** A private key, different for each index below `rsaKeysMax`. */
export function rsaKey(index: number): JWK {
  const pair = primes[index];
  if (!pair) throw new Error(`there are only ${rsaKeysMax} keys`);
  const [p, q] = [toNumber(pair[0]), toNumber(pair[1])];
  const e = 65_537n;
  const d = inverse(e, (p - 1n) * (q - 1n));
  const numbers = { n: p * q, e, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: inverse(q, p) };
  const texts = Object.entries(numbers).map(([name, number]) => [name, toText(number)]);
  return { kty: 'RSA', ...Object.fromEntries(texts) };
}

function toNumber(text: string): bigint {
  return BigInt(`0x${Buffer.from(text, 'base64url').toString('hex')}`);
}

function toText(number: bigint): string {
  const hex = number.toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64url');
}

/** The modular inverse, by the extended Euclidean algorithm. */
function inverse(number: bigint, modulus: bigint): bigint {
  let [before, now] = [modulus, number % modulus];
  let [factorBefore, factor] = [0n, 1n];
  while (now !== 0n) {
    const times = before / now;
    [before, now] = [now, before - times * now];
    [factorBefore, factor] = [factor, factorBefore - times * factor];
  }
  return ((factorBefore % modulus) + modulus) % modulus;
}
