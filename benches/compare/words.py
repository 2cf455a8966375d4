"""Words of which the letters are made: nobody's mail."""

LANGUAGES = {
    "en": """the meeting of next week will be held in room four please bring your notes about the new plan and tell me
        if you can not come we have had many questions on this and the answers stand below thanks for all your help
        yesterday I have looked at the report again there are two things that should be changed before Friday""",
    "fr": """bonjour à tous la réunion de la semaine prochaine aura lieu en salle quatre où nous avons déjà été merci
        d'apporter vos notes sur le nouveau projet et de prévenir si vous ne pouvez pas venir voilà la réponse après
        l'été dernier j'ai relu le compte rendu très tôt il reste deux points à vérifier avant vendredi""",
    "de": """die Besprechung der nächsten Woche findet im Raum vier statt bitte bringt eure Notizen über den neuen Plan
        mit und sagt mir ob ihr nicht kommen könnt wir haben dazu viele Fragen für das große Gespräch schöne Grüße
        gestern habe ich den Bericht noch einmal gelesen zwei Dinge müssten vor Freitag geändert werden""",
    "ru": """встреча на следующей неделе пройдёт в четвёртой комнате пожалуйста возьмите заметки о новом плане и
        скажите если не сможете прийти у нас много вопросов ответы ниже спасибо за помощь вчера я снова прочитал
        отчёт нужно исправить две вещи до пятницы""",
    "ja": """来週の会議は 四番の部屋で 行います 新しい計画の 資料を お持ちください 来られない場合は ご連絡ください
        多くの質問が ありましたので 回答を 下に 書きました ご協力 ありがとうございます 昨日 報告書を もう一度
        読みました 金曜日までに 二つの点を 直す必要が あります""",
    "zh": """下周的会议 将在 四号房间 举行 请带上 关于新计划的 笔记 如果不能来 请告诉我 我们收到了 许多问题 答案
        写在下面 感谢 大家的 帮助 昨天 我又读了 一遍报告 星期五以前 有两处 需要修改""",
}

NAMES = ["Anna Meier", "Jürgen Weiß", "Hélène Dupré", "John Smith", "Иван Петров", "山田太郎", "Maria Silva", "李小明"]

HOSTS = ["www.example.org", "img.example.net", "shop.example.com", "lists.example.org"]
