/** The letters by which the time zone database (tzdata 2024) calls a zone, where the platform's own data has others or none. */

/** Letters that `date +%Z` prints for `timeZone` while it is `offsetSeconds` east of Greenwich; undefined if not in the table. */
export function zoneLetters(timeZone: string, offsetSeconds: number): string | undefined {
  return LETTERS.find(([, offset, zones]) => offset === offsetSeconds && zones.split(" ").includes(timeZone))?.[0];
}

/** Letters, seconds east of Greenwich, and the zones that have them then. */
const LETTERS: readonly (readonly [letters: string, offsetSeconds: number, zones: string])[] = [
  ["+00", 0, "Antarctica/Troll"],
  ["GMT", 0, "Etc/GMT GMT GMT+0 GMT-0 GMT0"],
  ["BST", 3600, "Europe/Guernsey Europe/Isle_of_Man Europe/Jersey"],
  ["IST", 3600, "Eire Europe/Dublin"],
  ["MET", 3600, "MET"],
  [
    "WAT",
    3600,
    "Africa/Bangui Africa/Brazzaville Africa/Douala Africa/Kinshasa Africa/Lagos Africa/Libreville Africa/Luanda Africa/Malabo Africa/Ndjamena Africa/Niamey Africa/Porto-Novo",
  ],
  [
    "CAT",
    7200,
    "Africa/Blantyre Africa/Bujumbura Africa/Gaborone Africa/Harare Africa/Juba Africa/Khartoum Africa/Kigali Africa/Lubumbashi Africa/Lusaka Africa/Maputo Africa/Windhoek",
  ],
  ["IST", 7200, "Asia/Jerusalem Asia/Tel_Aviv Israel"],
  ["MEST", 7200, "MET"],
  ["SAST", 7200, "Africa/Johannesburg Africa/Maseru Africa/Mbabane"],
  [
    "EAT",
    10800,
    "Africa/Addis_Ababa Africa/Asmara Africa/Asmera Africa/Dar_es_Salaam Africa/Djibouti Africa/Juba Africa/Kampala Africa/Mogadishu Africa/Nairobi Indian/Antananarivo Indian/Comoro Indian/Mayotte",
  ],
  ["IDT", 10800, "Asia/Jerusalem Asia/Tel_Aviv Israel"],
  ["MSK", 10800, "Europe/Kirov Europe/Moscow Europe/Simferopol Europe/Volgograd W-SU"],
  ["+04", 14400, "Asia/Dubai Asia/Muscat"],
  ["PKT", 18000, "Asia/Karachi"],
  ["+0530", 19800, "Asia/Colombo"],
  ["WIB", 25200, "Asia/Jakarta Asia/Pontianak"],
  ["+08", 28800, "Antarctica/Casey"],
  ["CST", 28800, "Asia/Chongqing Asia/Chungking Asia/Harbin Asia/Macao Asia/Macau Asia/Shanghai Asia/Taipei PRC ROC"],
  ["HKT", 28800, "Asia/Hong_Kong Hongkong"],
  ["PST", 28800, "Asia/Manila"],
  ["WITA", 28800, "Asia/Makassar Asia/Ujung_Pandang"],
  ["+0845", 31500, "Australia/Eucla"],
  ["JST", 32400, "Asia/Tokyo Japan"],
  ["KST", 32400, "Asia/Pyongyang Asia/Seoul ROK"],
  ["WIT", 32400, "Asia/Jayapura"],
  ["ChST", 36000, "Pacific/Guam Pacific/Saipan"],
  ["+1030", 37800, "Australia/LHI Australia/Lord_Howe"],
  ["+11", 39600, "Australia/LHI Australia/Lord_Howe"],
  ["NDT", -9000, "America/St_Johns Canada/Newfoundland"],
  ["NST", -12600, "America/St_Johns Canada/Newfoundland"],
  ["CDT", -14400, "America/Havana Cuba"],
  ["CST", -18000, "America/Havana Cuba"],
  ["MDT", -21600, "America/Chihuahua America/Ciudad_Juarez America/Mazatlan Mexico/BajaSur"],
  [
    "MST",
    -25200,
    "America/Chihuahua America/Ciudad_Juarez America/Dawson America/Hermosillo America/Mazatlan America/Whitehorse Canada/Yukon Mexico/BajaSur",
  ],
  ["HDT", -32400, "America/Adak America/Atka US/Aleutian"],
  ["HST", -36000, "America/Adak America/Atka US/Aleutian"],
  ["SST", -39600, "Pacific/Midway Pacific/Pago_Pago Pacific/Samoa US/Samoa"],
];
