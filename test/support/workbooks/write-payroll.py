"""Writes payroll-export.xlsx: pip install openpyxl && python3 write-payroll.py"""

from datetime import date, datetime
from pathlib import Path

from openpyxl import Workbook
from openpyxl.styles import Font

book = Workbook()

notes = book.active
notes.title = "Hinweise"
notes["A1"] = "Nicht bearbeiten"
notes.sheet_state = "hidden"

staff = book.create_sheet("Personal 2026")
staff.append(["Payroll export", None, None, None, None, None, None])
staff["A1"].font = Font(bold=True, size=14)
staff.append(["Created", datetime(2026, 11, 16, 8, 30), None, None, None, None, None])
staff.append([])
staff.append(["Staff no.", "Name", "Badge", "Hired", "Email", "Active", "Years"])
staff.append(["004711", "Zoë Müller-Nguyễn", 815, date(2019, 3, 1), "zoe@example.com", True, "=2026-2019"])
staff.append([4712, "O'Brien, Seán", 816, date(2024, 2, 29), "sean@example.com", False, "=2026-2024"])
staff.append([12, "山田 太郎", 817, datetime(2026, 1, 5, 9, 0), " taro@example.com ", "yes", None])
staff.append(["0013", "Łukasz Wójcik", 123456789012345678, "01.02.2020", "lukasz@example.com", "no", 6])
staff["A6"].number_format = "000000"
staff["A7"].number_format = "000000"
staff["D5"].number_format = "DD.MM.YYYY"
staff["D6"].number_format = "DD.MM.YYYY"
staff.row_dimensions[7].hidden = True
staff.auto_filter.ref = "A4:G8"
staff.freeze_panes = "A5"

leavers = book.create_sheet("Leavers")
leavers.append(["Staff no.", "Name"])
leavers.append(["0099", "Gone Person"])

book.active = 1
book.save(Path(__file__).with_name("payroll-export.xlsx"))
