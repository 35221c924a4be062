; The command line in PATH: offered by the installer, taken out again by the uninstaller. electron-builder calls both macros.
; A text of NSIS ends after 1,024 characters and a PATH may be longer, so its value stays in memory of the system.
!include LogicLib.nsh
!include WinMessages.nsh

; Reads the person's own Path. $R0: its key; $R1: its type; $R2: memory that holds ";", the value and ";", or 0 if it
; cannot be read and has to be left alone; $R3: where the folder begins in it, with the ";" before it, or 0.
!macro readPath
  StrCpy $R2 0
  StrCpy $R3 0
  System::Call 'advapi32::RegOpenKeyExW(p 0x80000001, w "Environment", i 0, i 3, *p .R0) i .R9'
  ${If} $R9 = 0
    System::Call 'advapi32::RegQueryValueExW(p R0, w "Path", p 0, *i .R1, p 0, *i .R4) i .R9'
    ; None is there yet: REG_EXPAND_SZ.
    ${If} $R9 = 2
      StrCpy $R1 2
      StrCpy $R4 0
    ${EndIf}
    ${If} $R9 = 0
    ${OrIf} $R9 = 2
      StrCpy $R7 ";$INSTDIR\resources\bin;"
      StrLen $R5 $R7
      IntOp $R5 $R5 * 2
      IntOp $R5 $R5 + $R4
      IntOp $R5 $R5 + 16
      System::Alloc $R5
      Pop $R2
      System::Call 'kernel32::lstrcpyW(p R2, w ";")'
      IntOp $R6 $R2 + 2
      ${If} $R9 = 0
        System::Call 'advapi32::RegQueryValueExW(p R0, w "Path", p 0, *i .R1, p R6, *i R4) i .R9'
      ${Else}
        StrCpy $R9 0
      ${EndIf}
      ${If} $R9 <> 0
      ${OrIf} $R1 < 1
      ${OrIf} $R1 > 2
        System::Free $R2
        StrCpy $R2 0
      ${Else}
        !insertmacro closeEntry
        System::Call 'shlwapi::StrStrIW(p R2, w R7) p .R3'
      ${EndIf}
    ${EndIf}
    ${If} $R2 = 0
      System::Call 'advapi32::RegCloseKey(p R0)'
    ${EndIf}
  ${EndIf}
!macroend

; Ends what is in the memory with one ";". $R8 is where that is.
!macro closeEntry
  System::Call 'kernel32::lstrlenW(p R2) i .R8'
  IntOp $R8 $R8 - 1
  IntOp $R8 $R8 * 2
  IntOp $R8 $R8 + $R2
  System::Call '*$R8(&i2 .R9)'
  ${If} $R9 <> 59
    System::Call 'kernel32::lstrcatW(p R2, w ";")'
    IntOp $R8 $R8 + 2
  ${EndIf}
!macroend

; Writes what is in the memory behind the first ";".
!macro writePath
  IntOp $R6 $R2 + 2
  System::Call 'kernel32::lstrlenW(p R6) i .R5'
  IntOp $R5 $R5 + 1
  IntOp $R5 $R5 * 2
  System::Call 'advapi32::RegSetValueExW(p R0, w "Path", i 0, i R1, p R6, i R5)'
  SendMessage ${HWND_BROADCAST} ${WM_SETTINGCHANGE} 0 "STR:Environment" /TIMEOUT=2000
!macroend

!macro closePath
  System::Free $R2
  System::Call 'advapi32::RegCloseKey(p R0)'
!macroend

!macro addToPath
  !insertmacro readPath
  ${If} $R2 <> 0
    ${If} $R3 = 0
      StrCpy $R7 "$INSTDIR\resources\bin"
      System::Call 'kernel32::lstrcatW(p R2, w R7)'
      !insertmacro writePath
    ${EndIf}
    !insertmacro closePath
  ${EndIf}
!macroend

!macro removeFromPath
  !insertmacro readPath
  ${If} $R2 <> 0
    ${If} $R3 <> 0
      ; The ";" before the folder goes with it.
      StrLen $R5 "$INSTDIR\resources\bin;"
      IntOp $R5 $R5 * 2
      IntOp $R5 $R5 + $R3
      System::Call 'kernel32::lstrlenW(p R5) i .R6'
      IntOp $R6 $R6 + 1
      IntOp $R6 $R6 * 2
      System::Call 'kernel32::RtlMoveMemory(p R3, p R5, i R6)'
      ; A ";" at the end of the value is needless.
      !insertmacro closeEntry
      ${If} $R8 <> $R2
        System::Call '*$R8(&i2 0)'
      ${EndIf}
      !insertmacro writePath
    ${EndIf}
    !insertmacro closePath
  ${EndIf}
!macroend

!macro customInstall
  !insertmacro readPath
  ${If} $R2 <> 0
    !insertmacro closePath
    ; The folder is there already after an update. One with ";" in its name would be two.
    ${If} $R3 = 0
      System::Call 'shlwapi::StrChrW(w "$INSTDIR", i 59) p .R9'
      ${If} $R9 = 0
        StrCpy $R9 "Make the command $\"fieldwright$\" available in every terminal? Its folder is added to your own PATH."
        ${If} $LANGUAGE = 1031
          StrCpy $R9 "Den Befehl $\"fieldwright$\" in jedem Terminal verfügbar machen? Sein Ordner kommt in Ihren eigenen PATH."
        ${ElseIf} $LANGUAGE = 2052
          StrCpy $R9 "要在所有终端中都能使用命令“fieldwright”吗？其文件夹将添加到您自己的 PATH 中。"
        ${EndIf}
        MessageBox MB_YESNO|MB_ICONQUESTION "$R9" /SD IDNO IDNO leavePath
        !insertmacro addToPath
        leavePath:
      ${EndIf}
    ${EndIf}
  ${EndIf}
!macroend

!macro customUnInstall
  ${IfNot} ${isUpdated}
    !insertmacro removeFromPath
  ${EndIf}
!macroend
